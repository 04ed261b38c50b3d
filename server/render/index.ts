// From values to bytes: JSON, YAML, tables of `_cat`, and the sections that many answers share.

export { type CatColumn, catHelp, type CatRow, catTable } from './cat-table';
export { deleteBody, getBody, indexBody, updateBody } from './document';
export { engineErrorBody, errorBody, itemError, itemStatus } from './error-body';
export { readFilterPath } from './filter-path';
export { createdKeyBody, keyBody, keysBody } from './keys';
export { joinChunks, joinSmall } from './join-chunks';
export { statistics } from './human';
export { acceptedEncoding } from './compression';
export { formatOfType, type HeaderList, JSON_TYPE, respond, send } from './respond';
export { searchAnswer, searchResponseChunks } from './search-response';
export { percolateChunks } from './percolate';
export { renderSettings } from './settings';
export { shardsHeader, shardsStatus } from './shards';
export { snapshotInfo, snapshotStatus } from './snapshots';
export { bytesText, clockTime, humanBytes, timeText } from './units';
export { isYaml, yamlToJson } from './yaml-body';
