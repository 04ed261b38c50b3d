// The document APIs over the document log.

import { DocumentOperations } from './document-operations';
import type { DocumentHost } from './document-host';
import type { DocumentWriter } from './document-writer';
import { StoredDocuments } from './stored-documents';
import { StoredTerms } from './stored-terms';

/** The operations on documents. */
export class DocumentService extends DocumentOperations {
  private readonly stored: StoredDocuments;

  constructor(host: DocumentHost, writer: DocumentWriter) {
    const stored = new StoredDocuments(host);
    super(host, stored, writer, new StoredTerms(host));
    this.stored = stored;
  }

  /** See {@link StoredDocuments.source}. */
  source(index: string, type: string, id: string, routing: string | undefined): Buffer | undefined {
    const target = this.targets.target(index, type, id, routing, undefined, 'read');
    return this.stored.source(target, type, id);
  }
}
