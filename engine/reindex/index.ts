// Copying an index into another while it is written to, ending with the move of an alias.

export { ReindexService } from './reindex-service';
