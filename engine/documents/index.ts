// Writing and reading single documents, bulk, and deleting by query.

export { assertAliasStays } from './alias-moved';
export { DeleteByQuery } from './delete-by-query';
export type { DocumentHost, ReadHost } from './document-host';
export { DocumentOperations, type OperationsHost } from './document-operations';
export type {
  DocumentReads,
  DocumentWrites,
  FieldFigures,
  StoredDocument,
  VisibleTerms,
  WantedTerms,
} from './document-parts';
export { type DocumentTarget, DocumentTargets, ReadTargets } from './document-targets';
export { DocumentService } from './document-service';
export type { DocumentWrite, WriteResult } from './document-write';
export { DocumentWriter } from './document-writer';
export { ExpiredDocuments } from './expired-documents';
export { mappingAdditions } from './mapping-additions';
export { GetDocument } from './get-document';
export { itemError } from './item-error';
export { MatchingDocuments, type MatchingHost } from './matching-documents';
export { RECORD_OVERHEAD, unitEnd } from './log-units';
export { parseChunk, type ParsedChunk } from './parsed-chunk';
export { StoredDocuments } from './stored-documents';
export { validateWrite } from './request-validation';
export { VisibleDocuments } from './visible-document';
export { changeByScript, scriptOf } from './script-update';
export {
  alreadyExists,
  checkReadVersion,
  isVersionConflict,
  nextVersion,
  versionConflict,
  type VersionSubject,
} from './versions';
