// A session of the Java HTTP client Jest for Elasticsearch 1.x, against a server of its own.
//
// SERVER is host:port, or https://id:secret@host:port with CA naming the certificate of its authority; REPOSITORIES is
// a folder in which the server may keep snapshots. The client finds the nodes by itself, and shows its name and secret
// when it is asked for them; what it sends and how it reads the answers is its own business. Ends with 1 when a step
// went wrong.

import com.google.gson.JsonObject;
import io.searchbox.action.Action;
import io.searchbox.client.JestClient;
import io.searchbox.client.JestClientFactory;
import io.searchbox.client.JestResult;
import io.searchbox.client.config.HttpClientConfig;
import io.searchbox.cluster.Health;
import io.searchbox.cluster.NodesInfo;
import io.searchbox.cluster.State;
import io.searchbox.core.*;
import io.searchbox.core.search.facet.*;
import io.searchbox.core.search.sort.Sort;
import io.searchbox.indices.*;
import io.searchbox.indices.aliases.*;
import io.searchbox.indices.mapping.GetMapping;
import io.searchbox.indices.mapping.PutMapping;
import io.searchbox.indices.script.*;
import io.searchbox.indices.settings.GetSettings;
import io.searchbox.indices.settings.UpdateSettings;
import io.searchbox.indices.template.*;
import io.searchbox.params.Parameters;
import io.searchbox.params.SearchType;
import io.searchbox.snapshot.*;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.apache.http.nio.conn.ssl.SSLIOSessionStrategy;

public class Session {
  static final String INDEX = "songs-1";
  static final String TYPE = "song";
  static final int COUNT = 100;
  static final String[] WORDS = {"quick", "brown", "lazy", "silent"};
  static final String BODY =
      """
      {
        "settings": {"number_of_shards": 2, "number_of_replicas": 0},
        "mappings": {"song": {"properties": {
          "title": {"type": "string"},
          "tags": {"type": "string", "index": "not_analyzed"},
          "seconds": {"type": "integer"},
          "released": {"type": "date"}
        }}}
      }""";

  static class Song {
    String title;
    List<String> tags;
    int seconds;
    String released;

    static Song of(int i) {
      Song song = new Song();
      song.title = "A %s song of %s".formatted(WORDS[i % 4], i % 2 == 0 ? "foxes" : "hounds");
      song.tags = List.of("t" + i % 5);
      song.seconds = 100 + i;
      song.released = "201%d-03-01".formatted(i % 10);
      return song;
    }
  }

  interface Step {
    void run() throws Exception;
  }

  final JestClient client;
  boolean isWrong = false;

  Session(JestClient client) {
    this.client = client;
  }

  static void equal(Object actual, Object expected) {
    if (!Objects.equals(actual, expected))
      throw new AssertionError(actual + " is not " + expected);
  }

  <T extends JestResult> T done(Action<T> action) throws Exception {
    T result = client.execute(action);
    if (!result.isSucceeded())
      throw new AssertionError(
          action.getURI() + ": " + result.getResponseCode() + " " + result.getErrorMessage());
    return result;
  }

  void refused(int status, Action<? extends JestResult> action) throws Exception {
    JestResult result = client.execute(action);
    equal(result.isSucceeded(), false);
    equal(result.getResponseCode(), status);
  }

  SearchResult search(String body) throws Exception {
    return done(new Search.Builder(body).addIndex("songs").addType(TYPE).build());
  }

  double count() throws Exception {
    return done(new Count.Builder().addIndex("songs").build()).getCount();
  }

  void step(String name, Step step) {
    try {
      step.run();
      System.out.println("ok       " + name);
    } catch (Throwable thrown) {
      System.out.println("WRONG    " + name + ": " + thrown);
      isWrong = true;
    }
  }

  void run() {
    step("finds the server", () -> {
      JsonObject health = done(new Health.Builder().build()).getJsonObject();
      equal(health.get("timed_out").getAsBoolean(), false);
      JestResult nodes = done(new NodesInfo.Builder().withHttp().build());
      equal(nodes.getJsonObject().getAsJsonObject("nodes").entrySet().size(), 1);
    });

    step("creates an index with a mapping and an alias", () -> {
      done(new CreateIndex.Builder(INDEX).settings(BODY).build());
      refused(400, new CreateIndex.Builder(INDEX).build());
      done(new ModifyAliases.Builder(new AddAliasMapping.Builder(INDEX, "songs").build()).build());
      done(new IndicesExists.Builder("songs").build());
      refused(404, new IndicesExists.Builder("none").build());
      JsonObject aliases = done(new GetAliases.Builder().addIndex(INDEX).build()).getJsonObject();
      equal(aliases.getAsJsonObject(INDEX).getAsJsonObject("aliases").has("songs"), true);
    });

    step("loads documents in bulk", () -> {
      List<Index> songs = IntStream.range(0, COUNT)
          .mapToObj(i -> new Index.Builder(Song.of(i)).id("" + i).build())
          .toList();
      Bulk.Builder bulk = new Bulk.Builder().defaultIndex(INDEX).defaultType(TYPE);
      equal(done(bulk.addAction(songs).setParameter("refresh", true).build()).getItems().size(), COUNT);
      Bulk mixed = new Bulk.Builder().defaultIndex(INDEX).defaultType(TYPE)
          .addAction(new Update.Builder("{\"doc\":{\"seconds\":500}}").id("1").build())
          .addAction(new Index.Builder(Song.of(2)).id("2").setParameter("op_type", "create").build())
          .addAction(new Delete.Builder("3").build())
          .build();
      BulkResult result = client.execute(mixed);
      equal(result.isSucceeded(), false);
      equal(result.getItems().stream().map(item -> item.operation + item.status).toList(),
          List.of("update200", "create409", "delete200"));
      done(new Index.Builder(Song.of(3)).index(INDEX).type(TYPE).id("3").refresh(true).build());
      equal(count(), (double) COUNT);
    });

    step("writes, reads and updates single documents", () -> {
      Index.Builder index = new Index.Builder(Song.of(7)).index(INDEX).type(TYPE).id("one-more");
      equal(done(index.build()).getJsonObject().get("created").getAsBoolean(), true);
      refused(409, new Index.Builder(Song.of(7)).index(INDEX).type(TYPE).id("one-more")
          .setParameter(Parameters.OP_TYPE, "create").build());
      Song song = done(new Get.Builder(INDEX, "one-more").type(TYPE).build()).getSourceAsObject(Song.class);
      equal(song.title, Song.of(7).title);
      String script = "{\"script\": \"ctx._source.seconds += n\", \"params\": {\"n\": 5}}";
      done(new Update.Builder(script).index(INDEX).type(TYPE).id("one-more").build());
      refused(404, new Get.Builder(INDEX, "none").type(TYPE).build());
      JestResult many = done(new MultiGet.Builder.ByDoc(List.of(
          new Doc(INDEX, TYPE, "one-more"), new Doc(INDEX, TYPE, "none"))).build());
      equal(many.getJsonObject().getAsJsonArray("docs").get(0).getAsJsonObject()
          .getAsJsonObject("_source").get("seconds").getAsInt(), 112);
      equal(many.getJsonObject().getAsJsonArray("docs").get(1).getAsJsonObject().get("found").getAsBoolean(), false);
      done(new Delete.Builder("one-more").index(INDEX).type(TYPE).refresh(true).build());
      refused(404, new Delete.Builder("one-more").index(INDEX).type(TYPE).build());
    });

    step("searches with facets", () -> {
      SearchResult found = search("""
          {"query": {"match": {"title": "foxes"}}, "from": 1, "size": 3, "sort": [{"seconds": "desc"}],
           "facets": {
             "tags": {"terms": {"field": "tags", "size": 2}},
             "all": {"terms": {"field": "tags"}, "global": true},
             "years": {"date_histogram": {"field": "released", "interval": "year"}},
             "seconds": {"statistical": {"field": "seconds"}},
             "lengths": {"range": {"field": "seconds", "ranges": [{"to": 150}, {"from": 150}]}},
             "best": {"terms_stats": {"key_field": "tags", "value_field": "seconds"}},
             "of t0": {"filter": {"term": {"tags": "t0"}}},
             "quick": {"query": {"match": {"title": "quick"}}}}}""");
      equal(found.getTotal(), 50);
      equal(found.getFirstHit(Song.class).source.seconds, 196);
      TermsFacet tags = found.getFacets(TermsFacet.class).get(0);
      equal(List.of(tags.getTotal(), tags.getOther(), tags.terms().size()), List.of(50L, 30L, 2));
      equal(found.getFacets(DateHistogramFacet.class).get(0).getDateHistograms().size(), 5);
      StatisticalFacet seconds = found.getFacets(StatisticalFacet.class).get(0);
      equal(List.of(seconds.getCount(), seconds.getMin(), seconds.getMax()), List.of(50L, 100.0, 198.0));
      equal(found.getFacets(RangeFacet.class).get(0).getRanges().stream().map(r -> r.getCount()).toList(),
          List.of(25L, 25L));
      equal(found.getFacets(TermsStatsFacet.class).get(0).getTermsStatsList().size(), 5);
      equal(found.getFacets(FilterFacet.class).get(0).getCount(), 10L);
      equal(found.getFacets(QueryFacet.class).get(0).getCount(), 25L);
    });

    step("searches with aggregations", () -> {
      SearchResult found = search("""
          {"query": {"match": {"title": "hounds"}}, "size": 0, "aggs": {
            "tags": {"terms": {"field": "tags", "order": {"_term": "asc"}}},
            "seconds": {"stats": {"field": "seconds"}}}}""");
      equal(found.getAggregations().getTermsAggregation("tags").getBuckets().get(0).getKey(), "t0");
      equal(found.getAggregations().getStatsAggregation("seconds").getCount(), 50L);
    });

    step("sorts, highlights and searches many at once", () -> {
      Search sorted = new Search.Builder("{\"query\": {\"match\": {\"title\": \"lazy\"}}, \"highlight\": {\"fields\": {\"title\": {}}}}")
          .addIndex("songs").addSort(new Sort("seconds", Sort.Sorting.DESC)).build();
      SearchResult.Hit<Song, Void> hit = done(sorted).getFirstHit(Song.class);
      equal(hit.highlight.get("title"), List.of("A <em>lazy</em> song of foxes"));
      equal(hit.sort, List.of("198"));
      Search missing = new Search.Builder("{}").addIndex("none").build();
      refused(404, missing);
      List<MultiSearchResult.MultiSearchResponse> answers =
          done(new MultiSearch.Builder(List.of(sorted, missing)).build()).getResponses();
      equal(answers.get(0).searchResult.getTotal(), 25);
      equal(answers.get(1).errorMessage, "IndexMissingException[[none] missing]");
    });

    step("scans all documents", () -> {
      Search scan = new Search.Builder("{\"query\": {\"match_all\": {}}}").addIndex("songs")
          .setSearchType(SearchType.SCAN).setParameter(Parameters.SCROLL, "1m").setParameter(Parameters.SIZE, 11).build();
      String id = done(scan).getJsonObject().get("_scroll_id").getAsString();
      Set<String> seen = new HashSet<>();
      for (;;) {
        JestResult page = done(new SearchScroll.Builder(id, "1m").build());
        id = page.getJsonObject().get("_scroll_id").getAsString();
        var hits = page.getJsonObject().getAsJsonObject("hits").getAsJsonArray("hits");
        if (hits.size() == 0) break;
        hits.forEach(hit -> seen.add(hit.getAsJsonObject().get("_id").getAsString()));
      }
      equal(seen.size(), COUNT);
    });

    step("suggests terms, and finds more like one", () -> {
      String body = "{\"mine\": {\"text\": \"quikc\", \"term\": {\"field\": \"title\"}}}";
      SuggestResult result = done(new Suggest.Builder(body).addIndex("songs").build());
      equal(result.getSuggestions("mine").get(0).options.get(0).get("text"), "quick");
      JestResult like = done(new MoreLikeThis.Builder(INDEX, TYPE, "0", "{}").setParameter("mlt_fields", "title")
          .setParameter("min_term_freq", 1).setParameter("min_doc_freq", 1).build());
      equal(like.getJsonObject().getAsJsonObject("hits").get("total").getAsInt() > 0, true);
    });

    step("explains and validates", () -> {
      String query = "{\"query\": {\"term\": {\"tags\": \"t0\"}}}";
      JestResult explained = done(new Explain.Builder(INDEX, TYPE, "0", query).build());
      equal(explained.getJsonObject().get("matched").getAsBoolean(), true);
      JestResult valid = done(new Validate.Builder(query).index("songs").build());
      equal(valid.getJsonObject().get("valid").getAsBoolean(), true);
    });

    step("percolates a document", () -> {
      String query = "{\"query\": {\"match\": {\"title\": \"fox\"}}}";
      done(new Index.Builder(query).index(INDEX).type(".percolator").id("foxes").refresh(true).build());
      JestResult found = done(new Percolate.Builder(INDEX, TYPE, "{\"doc\": {\"title\": \"a fox\"}}").build());
      equal(found.getJsonObject().get("total").getAsInt(), 1);
      done(new Delete.Builder("foxes").index(INDEX).type(".percolator").refresh(true).build());
    });

    step("reads and changes mappings, settings, templates and scripts", () -> {
      String mapping = "{\"other\": {\"properties\": {\"n\": {\"type\": \"long\"}}}}";
      done(new PutMapping.Builder(INDEX, "other", mapping).build());
      JsonObject got = done(new GetMapping.Builder().addIndex(INDEX).addType("other").build()).getJsonObject();
      equal(got.getAsJsonObject(INDEX).getAsJsonObject("mappings").has("other"), true);
      done(new UpdateSettings.Builder("{\"index\": {\"refresh_interval\": \"7s\"}}").addIndex(INDEX).build());
      JsonObject settings = done(new GetSettings.Builder().addIndex(INDEX).build()).getJsonObject();
      equal(settings.getAsJsonObject(INDEX).getAsJsonObject("settings").getAsJsonObject("index")
          .get("refresh_interval").getAsString(), "7s");
      done(new PutTemplate.Builder("t", "{\"template\": \"logs-*\"}").build());
      done(new GetTemplate.Builder("t").build());
      done(new DeleteTemplate.Builder("t").build());
      done(new CreateIndexedScript.Builder("half").setLanguage(ScriptLanguage.GROOVY).setSource("_score / 2").build());
      done(new GetIndexedScript.Builder("half").setLanguage(ScriptLanguage.GROOVY).build());
      done(new DeleteIndexedScript.Builder("half").setLanguage(ScriptLanguage.GROOVY).build());
      JestResult tokens = done(new Analyze.Builder().analyzer("standard").source("Two Words").build());
      equal(tokens.getJsonObject().getAsJsonArray("tokens").size(), 2);
    });

    step("looks after indices", () -> {
      done(new Refresh.Builder().addIndex(INDEX).build());
      done(new Flush.Builder().addIndex(INDEX).build());
      done(new Optimize.Builder().addIndex(INDEX).maxNumSegments(1).build());
      done(new ClearCache.Builder().addIndex(INDEX).build());
      JsonObject stats = done(new Stats.Builder().addIndex(INDEX).docs(true).build()).getJsonObject();
      equal(stats.getAsJsonObject("_all").getAsJsonObject("primaries").getAsJsonObject("docs")
          .get("count").getAsInt(), COUNT);
      done(new State.Builder().withMetadata().indices(INDEX).build());
      String[][] table = done(new Cat.AliasesBuilder().build()).getPlainText();
      equal(List.of(table[0][0], table[1][0], table[1][1]), List.of("alias", "songs", INDEX));
      done(new CloseIndex.Builder(INDEX).build());
      done(new OpenIndex.Builder(INDEX).build());
    });

    step("takes a snapshot and restores it", () -> {
      String location = Path.of(System.getenv("REPOSITORIES"), "java").toString();
      done(new CreateSnapshotRepository.Builder("r")
          .settings(Map.of("type", "fs", "settings", Map.of("location", location))).build());
      done(new CreateSnapshot.Builder("r", "s").settings("{\"indices\": \"%s\"}".formatted(INDEX))
          .waitForCompletion(true).build());
      done(new DeleteIndex.Builder(INDEX).build());
      done(new RestoreSnapshot.Builder("r", "s").settings("{}").setParameter("wait_for_completion", true).build());
      equal(count(), (double) COUNT);
      done(new DeleteSnapshot.Builder("r", "s").build());
      done(new DeleteSnapshotRepository.Builder("r").build());
    });

    step("deletes by query, and moves the alias", () -> {
      done(new DeleteByQuery.Builder("{\"query\": {\"term\": {\"tags\": \"t0\"}}}").addIndex(INDEX).build());
      equal(count(), 80.0);
      done(new CreateIndex.Builder("songs-2").settings(BODY).build());
      done(new ModifyAliases.Builder(List.of(
          new RemoveAliasMapping.Builder(INDEX, "songs").build(),
          new AddAliasMapping.Builder("songs-2", "songs").setFilter(Map.of("term", Map.of("tags", "t1"))).build()))
          .build());
      equal(count(), 0.0);
    });

    step("deletes what it made", () -> {
      done(new DeleteIndex.Builder("songs-*").build());
      refused(404, new IndicesExists.Builder("songs").build());
    });
  }

  /** A context that trusts the authority of a file and nobody else. */
  static SSLContext trusting(String file) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream authority = Files.newInputStream(Path.of(file))) {
      store.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(authority));
    }
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  static HttpClientConfig config(String server) throws Exception {
    if (!server.contains("://")) return discovering("http", server).build();
    URI address = URI.create(server);
    String[] pair = address.getUserInfo().split(":", 2);
    SSLContext trusted = trusting(System.getenv("CA"));
    return discovering(address.getScheme(), address.getHost() + ":" + address.getPort())
        .defaultCredentials(pair[0], pair[1])
        .sslSocketFactory(new SSLConnectionSocketFactory(trusted))
        .httpsIOSessionStrategy(new SSLIOSessionStrategy(trusted))
        .build();
  }

  static HttpClientConfig.Builder discovering(String scheme, String host) {
    return new HttpClientConfig.Builder(scheme + "://" + host)
        .discoveryEnabled(true)
        .discoveryFrequency(100, TimeUnit.MILLISECONDS)
        .defaultSchemeForDiscoveredNodes(scheme)
        .multiThreaded(true)
        .connTimeout(10_000)
        .readTimeout(60_000);
  }

  public static void main(String[] arguments) throws Exception {
    JestClientFactory factory = new JestClientFactory();
    factory.setHttpClientConfig(config(System.getenv("SERVER")));
    Session session = new Session(factory.getObject());
    session.run();
    session.client.shutdownClient();
    System.exit(session.isWrong ? 1 : 0);
  }
}
