// Holding writes: what was queued before is on disk when the work begins, in either queue of the committer.

import { DocumentWriter } from '../../../../engine/documents/document-writer';
import { Storage } from '../../../../storage/storage';
import { removeFolders, temporaryFolder } from '../../storage/support';

afterEach(() => {
  jest.restoreAllMocks();
  removeFolders();
});

const UNUSED = undefined as never;

test.each([
  ['small', false],
  ['large', true],
])('what holds writes begins when all %s ones before it are durable', async (_, makesRoom) => {
  // Each unit takes so long that its batch takes no other of its kind.
  let now = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  const storage = await Storage.open({ path: temporaryFolder(), onFailure: () => undefined });
  const { log } = storage;
  const writer = new DocumentWriter(UNUSED, () => log, UNUSED, UNUSED, UNUSED);
  const order: string[] = [];
  const units = ['first', 'second', 'third'].map((name) => {
    const prepare = (): void => undefined;
    const unit = log.submit({ estimatedBytes: 10, makesRoom, prepare });
    return unit.then(() => order.push(name));
  });
  const held = writer.holding([], () => Promise.resolve(order.push('held')));
  await Promise.all([held, ...units]);
  await storage.close();
  expect(order).toEqual(['first', 'second', 'third', 'held']);
});
