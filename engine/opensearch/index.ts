// A search engine over a cluster of OpenSearch: translation of documents, queries and counts, and what is
// kept there.

export { RemoteDocuments } from './documents/remote-documents';
export { RemoteFieldFigures } from './documents/remote-field-figures';
export { RemoteIndices } from './documents/remote-indices';
export { RemoteReads } from './documents/remote-reads';
export { RemoteTerms } from './documents/remote-terms';
export { RemoteWriter } from './documents/remote-writer';
export { RemoteMaintenance } from './remote-maintenance';
export { NO_SNAPSHOTS } from './no-snapshots';
export { unsupported } from './layout/unsupported';
export { PointsInTime } from './search/points-in-time';
export { RemoteExecutor } from './search/remote-executor';
export { RemoteClusterState } from './state/remote-cluster-state';
export { createClient, type OpenSearchClient, type OpenSearchSettings } from './transport/client';
