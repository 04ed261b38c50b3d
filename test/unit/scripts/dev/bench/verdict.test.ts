import { parseOptions } from '../../../../../scripts/dev/bench/verdict';

const BENCHMARK = { numbers: { clients: [8, 1], idle: [60, 0] }, texts: ['corpus'] } as const;

describe('options of benchmarks with targets', () => {
  test('have defaults', () => {
    expect(parseOptions([], BENCHMARK)).toEqual({
      clients: 8,
      idle: 60,
      corpus: null,
      settings: [],
      json: null,
    });
  });

  test('are read', () => {
    const args = '--clients 2 --idle 0 --corpus c --set a=1 --set b=2 --json f'.split(' ');
    expect(parseOptions(args, BENCHMARK)).toEqual({
      clients: 2,
      idle: 0,
      corpus: 'c',
      settings: ['a=1', 'b=2'],
      json: 'f',
    });
    expect(parseOptions(['--help'], BENCHMARK)).toBeNull();
  });

  test.each([
    [['--clients', '0'], '--clients needs a whole number from 1, not 0'],
    [['--idle', 'x'], '--idle needs a whole number from 0, not x'],
    [['--other', '1'], "Unknown option '--other'"],
  ])('are refused: %j', (args, message) => {
    expect(() => parseOptions(args, BENCHMARK)).toThrow(message);
  });
});
