// A session of the Go client olivere/elastic for Elasticsearch 1.x, against a server of its own.
//
// SERVER is host:port, or https://id:secret@host:port with CA naming the certificate of its authority. The client finds the nodes by itself (sniffing) as it does by default; what it sends and
// how it reads the answers is its own business. Ends with 1 when a step went wrong. The client knows no
// snapshots: those are in the other sessions.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strings"

	"gopkg.in/olivere/elastic.v2"
)

const (
	index = "tweets-1"
	typ   = "tweet"
	count = 90
)

type tweet struct {
	User    string   `json:"user"`
	Message string   `json:"message"`
	Tags    []string `json:"tags"`
	Likes   int      `json:"likes"`
	Created string   `json:"created"`
}

const body = `{
  "settings": {"number_of_shards": 2, "number_of_replicas": 0},
  "mappings": {"tweet": {"properties": {
    "user": {"type": "string", "index": "not_analyzed"},
    "message": {"type": "string"},
    "tags": {"type": "string", "index": "not_analyzed"},
    "likes": {"type": "integer"},
    "created": {"type": "date"},
    "suggest": {"type": "completion"}
  }}}
}`

func tweetOf(i int) tweet {
	words := []string{"quick", "brown", "lazy"}
	return tweet{
		User:    fmt.Sprintf("user%d", i%7),
		Message: fmt.Sprintf("A %s message number %d", words[i%3], i),
		Tags:    []string{fmt.Sprintf("t%d", i%5)},
		Likes:   i,
		Created: fmt.Sprintf("2014-0%d-10", 1+i%9),
	}
}

// failure ends a step.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func equal(actual, expected interface{}) {
	if !reflect.DeepEqual(actual, expected) {
		panic(failure{fmt.Errorf("%v is not %v", actual, expected)})
	}
}

func status(err error) int {
	if e, ok := err.(*elastic.Error); ok {
		return e.Status
	}
	panic(failure{fmt.Errorf("no refusal: %v", err)})
}

func total(r *elastic.SearchResult, err error) int64 {
	check(err)
	return r.TotalHits()
}

type step struct {
	name string
	run  func(*elastic.Client)
}

var foxes = elastic.NewTermQuery("message", "quick")

var steps = []step{
	{"creates an index with a mapping and an alias", func(c *elastic.Client) {
		_, err := c.CreateIndex(index).Body(body).Do()
		check(err)
		_, err = c.CreateIndex(index).Do()
		equal(status(err), 400)
		exists, err := c.IndexExists(index).Do()
		check(err)
		equal(exists, true)
		_, err = c.Alias().Add(index, "tweets").Do()
		check(err)
		aliases, err := c.Aliases().Index("tweets").Do()
		check(err)
		equal(aliases.Indices[index].HasAlias("tweets"), true)
		check(c.WaitForYellowStatus("5s"))
	}},
	{"loads documents in bulk", func(c *elastic.Client) {
		bulk := c.Bulk().Index(index).Type(typ).Refresh(true)
		for i := 0; i < count; i++ {
			bulk.Add(elastic.NewBulkIndexRequest().Id(fmt.Sprint(i)).Doc(tweetOf(i)))
		}
		bulk.Add(elastic.NewBulkUpdateRequest().Id("1").Doc(map[string]int{"likes": 1000}))
		bulk.Add(elastic.NewBulkIndexRequest().OpType("create").Id("2").Doc(tweetOf(2)))
		bulk.Add(elastic.NewBulkDeleteRequest().Id("none"))
		r, err := bulk.Do()
		check(err)
		equal([]int{len(r.Indexed()), len(r.Updated()), len(r.Created())}, []int{count, 1, 1})
		equal(r.Errors, true)
		equal(r.Created()[0].Status, 409)
		equal(r.Deleted()[0].Found, false)
	}},
	{"writes, reads, updates and deletes single documents", func(c *elastic.Client) {
		put, err := c.Index().Index(index).Type(typ).Id("single").BodyJson(tweetOf(3)).Do()
		check(err)
		equal(put.Created, true)
		_, err = c.Index().Index(index).Type(typ).Id("single").OpType("create").BodyJson(tweetOf(3)).Do()
		equal(status(err), 409)
		got, err := c.Get().Index(index).Type(typ).Id("single").Do()
		check(err)
		var back tweet
		check(json.Unmarshal(*got.Source, &back))
		equal(back, tweetOf(3))
		updated, err := c.Update().Index(index).Type(typ).Id("single").
			Script("ctx._source.likes += n").ScriptParams(map[string]interface{}{"n": 5}).Do()
		check(err)
		equal(updated.Version, 2)
		upserted, err := c.Update().Index(index).Type(typ).Id("upsert").
			Doc(map[string]int{"likes": 1}).DocAsUpsert(true).Do()
		check(err)
		equal([]interface{}{upserted.Version, upserted.Created}, []interface{}{1, false})
		many, err := c.MultiGet().
			Add(elastic.NewMultiGetItem().Index(index).Type(typ).Id("single")).
			Add(elastic.NewMultiGetItem().Index(index).Type(typ).Id("none")).Do()
		check(err)
		equal([]bool{many.Docs[0].Found, many.Docs[1].Found}, []bool{true, false})
		none, err := c.Get().Index(index).Type(typ).Id("none").Do()
		check(err)
		equal(none.Found, false)
		for _, id := range []string{"single", "upsert"} {
			gone, err := c.Delete().Index(index).Type(typ).Id(id).Refresh(true).Do()
			check(err)
			equal(gone.Found, true)
		}
		there, err := c.Exists().Index(index).Type(typ).Id("single").Do()
		check(err)
		equal(there, false)
	}},
	{"searches with facets", func(c *elastic.Client) {
		filter := elastic.NewRangeFilter("likes").Gte(10).Lt(40)
		query := elastic.NewFilteredQuery(elastic.NewMatchQuery("message", "quick")).Filter(filter)
		r, err := c.Search("tweets").Type(typ).Query(query).Sort("likes", false).From(1).Size(3).
			Facet("tags", elastic.NewTermsFacet().Field("tags").Size(2)).
			Facet("users", elastic.NewTermsFacet().Field("user").Global(true).AllTerms(true)).
			Facet("months", elastic.NewDateHistogramFacet().Field("created").Interval("month")).
			Facet("ranges", elastic.NewRangeFacet().Field("likes").Lt(20).Between(20, 30).Gt(30)).Do()
		check(err)
		equal(r.TotalHits(), int64(10))
		equal(r.Hits.Hits[0].Id, "36")
		equal([]int{r.Facets["tags"].Total, len(r.Facets["tags"].Terms)}, []int{10, 2})
		equal(r.Facets["users"].Total, count)
		equal(len(r.Facets["months"].Entries), 3)
		equal(r.Facets["ranges"].Ranges[0].Count, 3)
		n, err := c.Count("tweets").Query(foxes).Do()
		check(err)
		equal(n, int64(30))
		multi, err := c.MultiSearch().
			Add(elastic.NewSearchRequest().Index("tweets").Source(elastic.NewSearchSource().Query(foxes))).
			Add(elastic.NewSearchRequest().Index("none").Source(elastic.NewSearchSource())).Do()
		check(err)
		equal(multi.Responses[0].TotalHits(), int64(30))
		missing, err := c.Search("none").Do()
		check(err)
		equal(strings.HasPrefix(missing.Error, "IndexMissingException"), true)
	}},
	{"highlights what matched", func(c *elastic.Client) {
		h := elastic.NewHighlight().Fields(elastic.NewHighlighterField("message")).PreTags("<b>").PostTags("</b>")
		r, err := c.Search("tweets").Query(foxes).Highlight(h).Size(1).Do()
		check(err)
		equal(strings.HasPrefix(r.Hits.Hits[0].Highlight["message"][0], "A <b>quick</b> message"), true)
	}},
	{"scrolls through all documents", func(c *elastic.Client) {
		seen, page := 0, (*elastic.SearchResult)(nil)
		id := ""
		for {
			var err error
			page, err = c.Scroll("tweets").Size(20).ScrollId(id).KeepAlive("1m").Do()
			if err == elastic.EOS {
				break
			}
			check(err)
			seen += len(page.Hits.Hits)
			id = page.ScrollId
		}
		equal(seen, count)
	}},
	{"scans all documents", func(c *elastic.Client) {
		cursor, err := c.Scan("tweets").Size(11).KeepAlive("1m").Do()
		check(err)
		seen := map[string]bool{}
		for {
			page, err := cursor.Next()
			if err == elastic.EOS {
				break
			}
			check(err)
			for _, hit := range page.Hits.Hits {
				seen[hit.Id] = true
			}
		}
		equal(len(seen), count)
	}},
	{"reindexes", func(c *elastic.Client) {
		// The client does not say why, when it cannot scan.
		_, err := c.Scan("tweets").Size(1).Do()
		check(err)
		r, err := c.Reindex("tweets", "tweets-copy").BulkSize(25).Do()
		check(err)
		equal([]int64{r.Success, r.Failed}, []int64{count, 0})
		_, err = c.DeleteIndex("tweets-copy").Do()
		check(err)
	}},
	{"suggests", func(c *elastic.Client) {
		r, err := c.Suggest("tweets").Suggester(
			elastic.NewTermSuggester("mine").Text("quikc").Field("message")).Do()
		check(err)
		equal(r["mine"][0].Options[0].Text, "quick")
	}},
	{"percolates a document", func(c *elastic.Client) {
		_, err := c.Index().Index(index).Type(".percolator").Id("1").Refresh(true).
			BodyString(`{"query":{"match":{"message":"quick"}}}`).Do()
		check(err)
		r, err := c.Percolate().Index(index).Type(typ).Doc(tweetOf(0)).Do()
		check(err)
		equal([]interface{}{r.Total, r.Matches[0].Id}, []interface{}{int64(1), "1"})
	}},
	{"reads and changes templates, mappings and settings", func(c *elastic.Client) {
		_, err := c.IndexPutTemplate("t").BodyString(`{"template":"logs-*"}`).Do()
		check(err)
		there, err := c.IndexTemplateExists("t").Do()
		check(err)
		equal(there, true)
		_, err = c.IndexDeleteTemplate("t").Do()
		check(err)
		_, err = c.PutMapping().Index(index).Type("other").
			BodyString(`{"other":{"properties":{"n":{"type":"long"}}}}`).Do()
		check(err)
		mapping, err := c.GetMapping().Index(index).Type("other").Do()
		check(err)
		equal(mapping[index] != nil, true)
		stats, err := c.IndexStats(index).Do()
		check(err)
		equal(stats.Indices[index].Primaries.Docs.Count >= count, true)
		info, err := c.NodesInfo().Do()
		check(err)
		equal(len(info.Nodes) > 0, true)
	}},
	{"deletes by query, and moves the alias", func(c *elastic.Client) {
		_, err := c.DeleteByQuery().Index(index).Type(typ).Query(foxes).Do()
		check(err)
		equal(total(c.Search("tweets").Type(typ).Size(0).Do()), int64(60))
		_, err = c.CreateIndex("tweets-2").Do()
		check(err)
		_, err = c.Alias().Remove(index, "tweets").Add("tweets-2", "tweets").Do()
		check(err)
		equal(total(c.Search("tweets").Do()), int64(0))
		// Refused with 404, which the client keeps to itself.
		moved, err := c.Alias().Remove(index, "none").Do()
		check(err)
		equal(moved.Acknowledged, false)
	}},
	{"deletes what it made", func(c *elastic.Client) {
		for _, name := range []string{index, "tweets-2"} {
			r, err := c.DeleteIndex(name).Do()
			check(err)
			equal(r.Acknowledged, true)
		}
		there, err := c.IndexExists(index).Do()
		check(err)
		equal(there, false)
	}},
}

// run runs a step, and tells whether it went wrong.
func run(s step, c *elastic.Client) (wrong bool) {
	defer func() {
		thrown := recover()
		if thrown == nil {
			fmt.Println("ok      ", s.name)
			return
		}
		fmt.Println("WRONG   ", s.name+":", thrown)
		wrong = true
	}()
	s.run(c)
	return false
}

func connect(server string) (*elastic.Client, error) {
	if !strings.Contains(server, "://") {
		return elastic.NewClient(elastic.SetURL("http://" + server))
	}
	address, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(os.Getenv("CA"))
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	secret, _ := address.User.Password()
	return elastic.NewClient(
		elastic.SetHttpClient(&http.Client{Transport: transport}),
		elastic.SetBasicAuth(address.User.Username(), secret),
		elastic.SetScheme(address.Scheme),
		elastic.SetURL(address.Scheme+"://"+address.Host),
	)
}

func main() {
	client, err := connect(os.Getenv("SERVER"))
	if err != nil {
		fmt.Println("WRONG    finds the server:", err)
		os.Exit(1)
	}
	fmt.Println("ok       finds the server")
	failed := false
	for _, s := range steps {
		failed = run(s, client) || failed
	}
	client.Stop()
	if failed {
		os.Exit(1)
	}
}
