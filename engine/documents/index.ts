// Writing and reading single documents, bulk, and deleting by query.

export { DeleteByQuery } from './delete-by-query';
export type { DocumentHost, ReadHost } from './document-host';
export { ReadTargets } from './document-targets';
export { DocumentService } from './document-service';
export type { DocumentWrite } from './document-write';
export { DocumentWriter } from './document-writer';
export { ExpiredDocuments } from './expired-documents';
export { mappingAdditions } from './mapping-additions';
export { GetDocument } from './get-document';
export { MatchingDocuments, type MatchingHost } from './matching-documents';
export { RECORD_OVERHEAD, unitEnd } from './log-units';
export { StoredDocuments } from './stored-documents';
export { validateWrite } from './request-validation';
export { VisibleDocuments } from './visible-document';
export { changeByScript, scriptOf } from './script-update';
export {
  alreadyExists,
  checkReadVersion,
  isVersionConflict,
  nextVersion,
  type VersionSubject,
} from './versions';
