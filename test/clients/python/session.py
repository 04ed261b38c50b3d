"""A session of the Python client for Elasticsearch 1.x and its helpers, against a server of its own.

SERVER is host:port, or https://id:secret@host:port with CA naming the certificate of its authority; REPOSITORIES is a
folder in which the server may keep snapshots. What the client sends and how it reads the answers is its own business. Ends with 1 when a step went wrong.
"""

import os

from elasticsearch import ConflictError, Elasticsearch, NotFoundError, RequestError
from elasticsearch.helpers import BulkIndexError, bulk, parallel_bulk, reindex, scan, streaming_bulk
from steps import equal, refused, run, step

INDEX = 'books-1'
TYPE = 'book'
WORDS = ['quick', 'brown', 'lazy', 'silent', 'hidden']
BOOKS = [
    {
        'title': 'A %s tale of %s' % (WORDS[i % 5], 'foxes' if i % 2 == 0 else 'hounds'),
        'tags': ['t%d' % (i % 4)] + (['classic'] if i % 6 == 0 else []),
        'pages': 100 + i,
        'price': i / 4.0,
        'published': '201%d-0%d-01T12:00:00Z' % (i % 10, 1 + i % 9),
    }
    for i in range(120)
]
MAPPING = {
    'properties': {
        'title': {'type': 'string'},
        'tags': {'type': 'string', 'index': 'not_analyzed'},
        'pages': {'type': 'integer'},
        'price': {'type': 'double'},
        'published': {'type': 'date'},
    }
}


@step('finds the server')
def _(es):
    assert es.ping()
    assert es.info()['version']['number'].startswith('1.')
    equal(es.cluster.health(wait_for_status='yellow')['timed_out'], False)


@step('creates an index with a mapping and an alias')
def _(es):
    body = {'settings': {'number_of_shards': 2, 'number_of_replicas': 0}, 'mappings': {TYPE: MAPPING}}
    es.indices.create(index=INDEX, body=body)
    equal(refused(RequestError, es.indices.create, index=INDEX).status_code, 400)
    es.indices.put_alias(index=INDEX, name='books')
    assert es.indices.exists(index='books') and es.indices.exists_alias(name='books')
    assert not es.indices.exists_type(index=INDEX, doc_type='none')


@step('loads documents with the helpers')
def _(es):
    actions = [
        {'_index': INDEX, '_type': TYPE, '_id': i, '_source': book} for i, book in enumerate(BOOKS)
    ]
    equal(bulk(es, actions[:50], chunk_size=7), (50, []))
    equal(len(list(streaming_bulk(es, iter(actions[50:80]), chunk_size=11))), 30)
    equal(all(ok for ok, _ in parallel_bulk(es, actions[80:], thread_count=3, chunk_size=5)), True)
    mixed = [
        {'_op_type': 'create', '_index': INDEX, '_type': TYPE, '_id': 0, '_source': {}},
        {'_op_type': 'update', '_index': INDEX, '_type': TYPE, '_id': 1, 'doc': {'price': 9.5}},
        {'_op_type': 'delete', '_index': INDEX, '_type': TYPE, '_id': 'none'},
    ]
    errors = refused(BulkIndexError, bulk, es, mixed).errors
    equal([(list(e)[0], list(e.values())[0]['status']) for e in errors], [('create', 409), ('delete', 404)])
    es.indices.refresh(index=INDEX)
    equal(es.count(index='books')['count'], 120)


@step('writes, reads and updates single documents')
def _(es):
    where = {'index': INDEX, 'doc_type': TYPE, 'id': u'ein/e s\u00e4ge'}
    equal(es.create(body={'title': u'\u96ea'}, **where)['created'], True)
    refused(ConflictError, es.create, body={}, **where)
    refused(ConflictError, es.index, body={}, version=7, **where)
    equal(es.index(body={'title': 'x'}, version=9, version_type='external', **where)['_version'], 9)
    equal(es.get_source(**where), {'title': 'x'})
    assert es.exists(**where) and not es.exists(index=INDEX, doc_type=TYPE, id='none')
    equal(es.get(fields='title', **where)['fields'], {'title': ['x']})
    es.update(body={'doc': {'n': 1}}, **where)
    script = {'script': 'ctx._source.n += by', 'params': {'by': 4}}
    equal(es.update(body=script, fields='n', retry_on_conflict=2, **where)['get']['fields'], {'n': [5]})
    found = es.mget(index=INDEX, doc_type=TYPE, body={'ids': [where['id'], 'none']}, _source=False)
    equal([d['found'] for d in found['docs']], [True, False])
    refused(NotFoundError, es.get, index=INDEX, doc_type=TYPE, id='none')
    equal(es.delete(refresh=True, **where)['found'], True)
    refused(NotFoundError, es.delete, **where)


@step('searches with facets')
def _(es):
    body = {
        'query': {'filtered': {'query': {'match': {'title': 'foxes'}}, 'filter': {'range': {'pages': {'lt': 160}}}}},
        'sort': [{'price': 'desc'}],
        'facets': {
            'tags': {'terms': {'field': 'tags', 'size': 3}},
            'all': {'terms': {'field': 'tags'}, 'global': True, 'facet_filter': {'term': {'tags': 'classic'}}},
            'years': {'date_histogram': {'field': 'published', 'interval': 'year'}},
            'pages': {'statistical': {'field': 'pages'}},
        },
    }
    answer = es.search(index='books', body=body, size=4, _source_include='title', _source_exclude='ti*x')
    equal(answer['hits']['total'], 30)
    equal([h['sort'] for h in answer['hits']['hits']], [[14.5], [14.0], [13.5], [13.0]])
    equal(list(answer['hits']['hits'][0]['_source']), ['title'])
    facets = answer['facets']
    equal(facets['tags']['terms'][0], {'term': 't2', 'count': 15})
    equal(sum(t['count'] for t in facets['all']['terms']), 40)
    equal(len(facets['years']['entries']), 5)
    equal((facets['pages']['min'], facets['pages']['max'], facets['pages']['count']), (100.0, 158.0, 30))
    equal(es.search(index='books', q='title:lazy', size=0)['hits']['total'], 24)
    equal(es.search_exists(index='books', q='tags:classic'), True)
    multi = es.msearch(body=[{'index': 'books'}, {'query': {'match_all': {}}, 'size': 0}, {'index': 'none'}, {}])
    equal((multi['responses'][0]['hits']['total'], 'error' in multi['responses'][1]), (120, True))


@step('highlights what matched')
def _(es):
    body = {'query': {'match': {'title': 'foxes'}}, 'highlight': {'fields': {'title': {}}}}
    hit = es.search(index='books', body=body, size=1)['hits']['hits'][0]
    assert hit['highlight']['title'][0].endswith('tale of <em>foxes</em>'), hit


@step('scrolls through all documents')
def _(es):
    page = es.search(index='books', scroll='1m', size=50, body={'sort': ['pages']})
    pages = []
    while page['hits']['hits']:
        pages += [h['_source']['pages'] for h in page['hits']['hits']]
        page = es.scroll(scroll_id=page['_scroll_id'], scroll='1m')
    equal(pages, [100 + i for i in range(120)])
    es.clear_scroll(scroll_id=page['_scroll_id'])
    refused(NotFoundError, es.scroll, scroll_id=page['_scroll_id'], scroll='1m')


@step('scans with the helper')
def _(es):
    equal(len({h['_id'] for h in scan(es, index='books', size=7)}), 120)
    ordered = scan(es, query={'sort': ['pages']}, index='books', size=50, preserve_order=True)
    equal([h['_source']['pages'] for h in ordered], [100 + i for i in range(120)])


@step('reindexes with the helper')
def _(es):
    equal(reindex(es, 'books', 'books-copy', chunk_size=30)[0], 120)
    es.indices.refresh(index='books-copy')
    equal(es.count(index='books-copy')['count'], 120)
    es.indices.delete(index='books-copy')


@step('suggests terms')
def _(es):
    body = {'mine': {'text': 'hiden', 'term': {'field': 'title'}}}
    equal(es.suggest(index='books', body=body)['mine'][0]['options'][0]['text'], 'hidden')


@step('percolates a document')
def _(es):
    query = {'query': {'match': {'title': 'fox'}}}
    es.index(index=INDEX, doc_type='.percolator', id='foxes', body=query, refresh=True)
    found = es.percolate(index=INDEX, doc_type=TYPE, body={'doc': {'title': 'a fox'}})
    equal([(m['_index'], m['_id']) for m in found['matches']], [(INDEX, 'foxes')])
    equal(es.count_percolate(index=INDEX, doc_type=TYPE, body={'doc': {'title': 'no'}})['total'], 0)


@step('deletes by query and moves the alias')
def _(es):
    es.delete_by_query(index=INDEX, doc_type=TYPE, body={'query': {'term': {'tags': 'classic'}}})
    equal(es.count(index=INDEX, doc_type=TYPE)['count'], 100)
    es.indices.create(index='books-2')
    actions = [{'remove': {'index': INDEX, 'alias': 'books'}}, {'add': {'index': 'books-2', 'alias': 'books'}}]
    equal(es.indices.update_aliases(body={'actions': actions}), {'acknowledged': True})
    equal(es.indices.get_alias(name='books'), {'books-2': {'aliases': {'books': {}}}})
    refused(NotFoundError, es.indices.delete_alias, index=INDEX, name='none')


@step('reads and changes mappings, settings and templates')
def _(es):
    es.indices.put_mapping(index=INDEX, doc_type='other', body={'other': {'properties': {'n': {'type': 'long'}}}})
    equal(es.indices.get_mapping(index=INDEX, doc_type='other')[INDEX]['mappings']['other']['properties'],
          {'n': {'type': 'long'}})
    es.indices.put_settings(index=INDEX, body={'index': {'refresh_interval': '7s'}})
    settings = es.indices.get_settings(index=INDEX, flat_settings=True)
    equal(settings[INDEX]['settings']['index.refresh_interval'], '7s')
    es.indices.put_template(name='t', body={'template': 'logs-*'})
    assert es.indices.exists_template(name='t')
    es.indices.delete_template(name='t')
    equal([t['token'] for t in es.indices.analyze(text='Two Words', analyzer='standard')['tokens']], ['two', 'words'])
    assert INDEX in es.cat.indices(h='index')
    assert es.nodes.info()['nodes'] and es.cluster.state(metric='metadata')['metadata']['indices']


@step('takes a snapshot and restores it')
def _(es):
    location = os.path.join(os.environ['REPOSITORIES'], 'python')
    es.snapshot.create_repository(repository='r', body={'type': 'fs', 'settings': {'location': location}})
    done = es.snapshot.create(repository='r', snapshot='s', body={'indices': INDEX}, wait_for_completion=True)
    equal(done['snapshot']['state'], 'SUCCESS')
    es.indices.close(index=INDEX)
    es.snapshot.restore(repository='r', snapshot='s', wait_for_completion=True)
    equal(es.count(index=INDEX, doc_type=TYPE)['count'], 100)
    es.snapshot.delete(repository='r', snapshot='s')


@step('deletes what it made')
def _(es):
    equal(es.indices.delete(index='books-*'), {'acknowledged': True})
    assert not es.indices.exists(index='books')


def connect():
    trusted = {'verify_certs': True, 'ca_certs': os.environ['CA']} if 'CA' in os.environ else {}
    return Elasticsearch([os.environ['SERVER']], timeout=60, **trusted)


if __name__ == '__main__':
    run(connect(), 'elasticsearch')
