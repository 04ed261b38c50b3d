import { KeyUses } from '../../../../engine/access/key-uses';
import type { AccessKey } from '../../../../engine/metadata/index';
import { EMPTY_STATE, replaceKeys } from '../../../../engine/metadata/changes';
import type { ClusterState } from '../../../../engine/metadata/state';

const keys = new Map(['a', 'b'].map((id) => [id, { id } as AccessKey]));

/** A node's state in memory, with the number of changes that were written. */
class Host {
  current: ClusterState = replaceKeys(EMPTY_STATE, keys);
  writes = 0;
  isRefusing = false;

  readonly cluster = {
    state: () => this.current,
    change: (compute: (state: ClusterState) => ClusterState) => {
      this.writes++;
      this.current = compute(this.current);
      return Promise.resolve(this.current);
    },
  };

  write<T>(work: () => Promise<T>): Promise<T> {
    return this.isRefusing ? Promise.reject(new Error('refused')) : work();
  }
}

let host: Host;
let uses: KeyUses;
beforeEach(() => {
  jest.useFakeTimers();
  host = new Host();
  uses = new KeyUses(host);
  uses.start();
});
afterEach(() => uses.stop().finally(() => jest.useRealTimers()));

const minutes = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 60_000);

test('many uses are one write every five minutes, and none is none', async () => {
  for (let at = 1; at <= 1000; at++) uses.of('a').at = at;
  expect(host.writes).toBe(0);
  await minutes(5);
  expect([host.writes, host.current.keyUses]).toEqual([1, new Map([['a', 1000]])]);
  await minutes(60);
  expect(host.writes).toBe(1);
  uses.of('b').at = 7;
  await minutes(5);
  expect([host.writes, host.current.keyUses.size]).toEqual([2, 2]);
});

test('what is refused is written the next time', async () => {
  uses.of('a').at = 5;
  host.isRefusing = true;
  await minutes(5);
  expect(host.writes).toBe(0);
  host.isRefusing = false;
  await minutes(5);
  expect(host.current.keyUses).toEqual(new Map([['a', 5]]));
});

test('what was written is known to the next start, and never goes back', async () => {
  uses.of('a').at = 5;
  await uses.save();
  const later = new KeyUses(host);
  expect([later.of('a'), later.of('b')]).toEqual([{ at: 5 }, { at: null }]);
  later.of('a').at = 4;
  await later.save();
  expect(host.current.keyUses).toEqual(new Map([['a', 5]]));
});

test('a key that is made anew has not been used', async () => {
  uses.of('a').at = 5;
  await uses.save();
  host.current = replaceKeys(host.current, new Map([['b', keys.get('b')!]]));
  uses.forget('a');
  expect(uses.of('a')).toEqual({ at: null });
  uses.of('gone').at = 9;
  await uses.save();
  expect(host.current.keyUses).toEqual(new Map());
});
