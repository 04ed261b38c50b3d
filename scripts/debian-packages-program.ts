// What scripts/corpus-debian runs.

import { writeCorpus } from './debian-packages';

writeCorpus().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
