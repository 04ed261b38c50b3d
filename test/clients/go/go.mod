module facetd/test/clients/go

go 1.21

require gopkg.in/olivere/elastic.v2 v2.0.61

require github.com/fortytw2/leaktest v1.3.0 // indirect
