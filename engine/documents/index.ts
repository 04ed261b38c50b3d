// Writing and reading single documents, bulk, and deleting by query.

export { DeleteByQuery } from './delete-by-query';
export type { DocumentHost } from './document-host';
export { DocumentService } from './document-service';
export type { DocumentWrite } from './document-write';
export { DocumentWriter } from './document-writer';
export { ExpiredDocuments } from './expired-documents';
export { mappingAdditions } from './mapping-additions';
export { MatchingDocuments, type MatchingHost } from './matching-documents';
export { RECORD_OVERHEAD, unitEnd } from './log-units';
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
