// Writing and reading single documents, bulk, and deleting by query.

export { DeleteByQuery } from './delete-by-query';
export { DocumentService } from './document-service';
export { DocumentWriter } from './document-writer';
export { ExpiredDocuments } from './expired-documents';
export { mappingAdditions } from './mapping-additions';
export { RECORD_OVERHEAD, unitEnd } from './log-units';
export { validateWrite } from './request-validation';
export { alreadyExists, checkReadVersion, nextVersion, type VersionSubject } from './versions';
