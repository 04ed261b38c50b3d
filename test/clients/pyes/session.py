"""A session of pyes, a Python client for Elasticsearch 0.90 and 1.x, against a server of its own.

SERVER is host:port, or https://id:secret@host:port with CA naming the certificate of its authority; REPOSITORIES is not
needed, as the client knows no snapshots. What the client sends and how it reads the answers is its own business. Ends
with 1 when a step went wrong.
"""

import os
from urllib.parse import unquote, urlsplit

import pyes
from pyes import facets
from pyes.exceptions import (
    ElasticSearchException,
    IndexAlreadyExistsException,
    IndexMissingException,
    NotFoundException,
    VersionConflictEngineException,
)
from steps import equal, refused, run, step

INDEX = 'parts-1'
TYPE = 'part'
WORDS = ['quick', 'brown', 'lazy', 'silent', 'hidden']
PARTS = [
    {
        'name': 'A %s part of a %s' % (WORDS[i % 5], 'wheel' if i % 2 == 0 else 'door'),
        'tags': ['t%d' % (i % 4)],
        'price': 100 + i,
        'made': '201%d-04-01' % (i % 10),
    }
    for i in range(100)
]
MAPPING = {
    'name': {'type': 'string', 'store': 'yes', 'term_vector': 'with_positions_offsets'},
    'tags': {'type': 'string', 'index': 'not_analyzed'},
    'price': {'type': 'integer'},
    'made': {'type': 'date'},
}


@step('finds the server')
def _(es):
    equal(es.cluster.health(wait_for_status='yellow')['timed_out'], False)
    assert es.cluster.info()['version']['number'].startswith('1.')


@step('creates an index with a mapping and an alias')
def _(es):
    es.indices.create_index(INDEX, {'settings': {'number_of_shards': 2, 'number_of_replicas': 0}})
    refused(IndexAlreadyExistsException, es.indices.create_index, INDEX)
    es.indices.put_mapping(TYPE, {'properties': MAPPING}, [INDEX])
    es.indices.add_alias('parts', [INDEX])
    equal(list(es.indices.get_alias('parts')), [INDEX])
    assert es.indices.exists_index('parts') and not es.indices.exists_index('none')
    mappings = es.indices.get_mapping(TYPE, INDEX, raw=True)[INDEX]['mappings']
    equal(mappings[TYPE]['properties']['tags'], {'type': 'string', 'index': 'not_analyzed'})


@step('loads documents in bulk')
def _(es):
    for i, part in enumerate(PARTS):
        es.index(part, INDEX, TYPE, i, bulk=True)
    es.force_bulk()
    es.update(INDEX, TYPE, 1, document={'price': 500}, bulk=True)
    es.index(PARTS[2], INDEX, TYPE, 2, op_type='create', bulk=True)
    es.delete(INDEX, TYPE, 'none', bulk=True)
    items = es.force_bulk()['items']
    equal([(list(item)[0], list(item.values())[0]['status']) for item in items],
          [('update', 200), ('create', 409), ('delete', 404)])
    es.indices.refresh(INDEX)
    equal(es.count(indices='parts')['count'], 100)


@step('writes, reads and updates single documents')
def _(es):
    where = (INDEX, TYPE, 'ein/e s\u00e4ge')
    equal(es.index({'name': '\u96ea'}, *where)['created'], True)
    refused(ElasticSearchException, es.index, {'n': 1}, *where, force_insert=True)
    refused(VersionConflictEngineException, es.index, {'n': 1}, *where, version=7)
    es.partial_update(*where, doc={'n': 1})
    es.update(*where, script='ctx._source.n += by', lang='groovy', params={'by': 4})
    got = es.get(*where)
    equal((got['n'], got['name'], got._meta.version), (5, '\u96ea', 3))
    found = es.mget([(INDEX, TYPE, '0'), (INDEX, TYPE, '1')])
    equal([part['price'] for part in found], [100, 500])
    refused(NotFoundException, es.get, INDEX, TYPE, 'none')
    equal(es.delete(*where)['found'], True)
    assert not es.exists(*where)
    es.index(PARTS[1], INDEX, TYPE, 1)
    es.indices.refresh(INDEX)


@step('searches with facets')
def _(es):
    query = pyes.FilteredQuery(pyes.MatchQuery('name', 'wheel'), pyes.RangeFilter(pyes.ESRange('price', 100, 150)))
    search = pyes.Search(query, size=4, sort=[{'price': 'desc'}])
    search.facet.add_term_facet('tags', size=3)
    search.facet.add(facets.TermFacet('tags', name='all', is_global=True, facet_filter=pyes.TermFilter('tags', 't1')))
    search.facet.add_date_facet('years', 'made', 'year')
    search.facet.add(facets.StatisticalFacet('price', field='price'))
    search.facet.add(facets.HistogramFacet('steps', field='price', interval=10))
    search.facet.add(facets.RangeFacet('ranges', field='price', ranges=[{'to': 120}, {'from': 120}]))
    search.facet.add(facets.TermStatsFacet('best', key_field='tags', value_field='price'))
    search.facet.add(facets.QueryFacet('quick', pyes.MatchQuery('name', 'quick')))
    found = es.search(search, 'parts', TYPE)
    equal((found.total, [part['price'] for part in found[:4]]), (24, [148, 146, 144, 142]))
    got = found.facets
    equal([(t.term, t['count']) for t in got.tags.terms], [('t2', 12), ('t0', 12)])
    equal(sum(t['count'] for t in got['all'].terms), 25)
    equal(len(got.years.entries), 5)
    equal((got.price.min, got.price.max, got.price['count']), (102.0, 148.0, 24))
    equal([e['count'] for e in got.steps.entries], [4, 5, 5, 5, 5])
    equal([r['count'] for r in got.ranges.ranges], [9, 15])
    equal((len(got.best.terms), got.quick['count']), (2, 4))


@step('searches with aggregations')
def _(es):
    search = pyes.MatchAllQuery().search(size=0)
    search.agg.add(pyes.aggs.StatsAgg('price', field='price'))
    search.agg.add(pyes.aggs.MaxAgg('most', field='price'))
    found = es.search(search, 'parts').aggs
    equal((found.price['count'], found.price.min, found.most.value), (100, 100.0, 199.0))


@step('searches by many kinds of queries')
def _(es):
    def total(query):
        return es.search(query, 'parts', TYPE).total

    equal(total(pyes.TermQuery('tags', 't1')), 25)
    equal(total(pyes.PrefixQuery('name', 'hidd')), 20)
    equal(total(pyes.WildcardQuery('name', 'la*y')), 20)
    equal(total(pyes.FuzzyQuery('name', 'quikc')), 20)
    equal(total(pyes.QueryStringQuery('name:(quick OR lazy) AND tags:t2')), 10)
    equal(total(pyes.IdsQuery(['1', '2', 'none'])), 2)
    equal(total(pyes.BoolQuery(must=pyes.TermQuery('tags', 't0'), must_not=pyes.TermQuery('name', 'quick'))), 20)
    equal(total(pyes.SpanNearQuery([pyes.SpanTermQuery('name', 'quick'), pyes.SpanTermQuery('name', 'wheel')], 4)), 10)
    equal(total(pyes.ConstantScoreQuery(pyes.NotFilter(pyes.TermsFilter('tags', ['t0', 't1'])))), 50)
    equal(total(pyes.FilteredQuery(pyes.MatchAllQuery(), pyes.ORFilter(
        [pyes.TermFilter('tags', 't0'), pyes.ANDFilter([pyes.TermFilter('tags', 't1'), pyes.ExistsFilter('price')])]))), 50)


@step('highlights, and searches many at once')
def _(es):
    search = pyes.Search(pyes.MatchQuery('name', 'lazy'), size=1)
    search.add_highlight('name')
    hit = es.search(search, 'parts')[0]
    assert '<em>lazy</em>' in hit._meta.highlight['name'][0], hit._meta
    many = es.search_multi([pyes.TermQuery('tags', 't0'), pyes.TermQuery('tags', 'none')],
                           indices_list=['parts', 'parts'])
    equal([found.total for found in many], [25, 0])


@step('scans all documents')
def _(es):
    found = es.search(pyes.Search(pyes.MatchAllQuery(), bulk_read=7), 'parts', scan=True)
    equal(len({part._meta.id for part in found}), 100)


@step('suggests, and finds more like one')
def _(es):
    equal([text for _, _, text in es.suggest('mine', 'quikc', 'name', indices='parts')], ['quick'])
    like = es.morelikethis(INDEX, TYPE, '0', ['name'], min_term_freq=1, min_doc_freq=1)
    assert like['hits']['total'] > 0


@step('percolates a document')
def _(es):
    es.create_percolator(INDEX, 'doors', pyes.MatchQuery('name', 'door'))
    es.indices.refresh(INDEX)
    found = es.percolate(INDEX, TYPE, {'doc': {'name': 'a door'}})
    equal([match['_id'] for match in found['matches']], ['doors'])
    es.delete_percolator(INDEX, 'doors')


@step('keeps warmers, and looks after indices')
def _(es):
    es.put_warmer(indices=[INDEX], name='w', warmer=pyes.Search(pyes.MatchAllQuery()))
    assert 'w' in es.get_warmer(indices=[INDEX], name='w')[INDEX]['warmers']
    es.delete_warmer(indices=[INDEX], name='w')
    es.indices.update_settings(INDEX, {'index': {'refresh_interval': '7s'}})
    equal(es.indices.get_settings(INDEX)[INDEX]['settings']['index']['refresh_interval'], '7s')
    es.indices.optimize(INDEX, max_num_segments=1)
    equal(es.indices.stats(INDEX)['_all']['primaries']['docs']['count'], 100)
    equal(es.indices.get_indices(include_aliases=True)['parts'], {'alias_for': [INDEX], 'num_docs': 100})
    equal([t['token'] for t in es.indices.analyze('Two Words', analyzer='standard')['tokens']], ['two', 'words'])
    es.indices.close_index(INDEX)
    equal(es.indices.get_closed_indices(), {INDEX})
    es.indices.open_index(INDEX)


@step('deletes by query, and moves the alias')
def _(es):
    es.delete_by_query([INDEX], [TYPE], pyes.TermQuery('tags', 't0'))
    equal(es.count(indices=INDEX)['count'], 75)
    es.indices.create_index('parts-2', {'mappings': {TYPE: {'properties': MAPPING}}})
    es.indices.set_alias('parts', ['parts-2'], filter=pyes.TermFilter('tags', 't1'))
    equal(es.indices.aliases('parts-2')['parts-2']['aliases']['parts']['filter'], {'term': {'tags': 't1'}})
    equal(es.count(indices='parts')['count'], 0)


@step('deletes what it made')
def _(es):
    es.indices.delete_mapping(INDEX, TYPE)
    es.indices.delete_index(INDEX)
    es.indices.delete_index('parts-2')
    refused(IndexMissingException, es.indices.delete_index, INDEX)


def connect():
    """The client, which knows schemes by their ports unless it is told, and trusts what OpenSSL does."""
    server = os.environ['SERVER']
    if '://' not in server:
        return pyes.ES('http://' + server)
    address = urlsplit(server)
    os.environ['SSL_CERT_FILE'] = os.environ['CA']
    pair = {'username': unquote(address.username), 'password': unquote(address.password)}
    host = (address.scheme, address.hostname, address.port)
    return pyes.ES([host], basic_auth=pair, cert_reqs='CERT_REQUIRED')


if __name__ == '__main__':
    run(connect(), 'pyes')
