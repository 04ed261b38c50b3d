// Which threads of a program come to a match, found by reading the text from its end.
//
// A thread that reads on and on and fails in the end makes the search for each match read the rest of the
// text: `a.*b|a` in a text of many letters a. Where only threads are followed that come to a match, nothing
// is read behind the match that is found, and all matches of a text take one reading of it.

import type { Instruction } from './program';

/** Positions whose threads are held at a time; of others only every so many are. */
const BLOCK = 1024;

type Condition = Extract<Instruction, { op: 'assert' | 'look' }>;

/** Bits by position and instruction, made again block by block as they are asked for. */
export class FruitfulThreads {
  private readonly words: number;
  /** Instructions from which an instruction is reached without reading. */
  private readonly before: readonly (readonly number[])[];
  private readonly reading: readonly (readonly [
    pc: number,
    Extract<Instruction, { op: 'char' }>,
  ])[];
  private readonly matching: readonly number[];
  /** By block: the bits of its first two positions. */
  private readonly firsts: Uint32Array[] = [];
  /** The bits of one block, and of the two positions behind it. */
  private readonly rows: Uint32Array;
  private block: number;
  private readonly stack: number[] = [];

  /**
   * @param from no earlier position will be asked about
   * @param holds whether a condition of the program is fulfilled at a position
   */
  constructor(
    private readonly code: readonly Instruction[],
    private readonly text: string,
    from: number,
    private readonly holds: (condition: Condition, position: number) => boolean,
  ) {
    this.words = Math.ceil(code.length / 32);
    this.before = predecessors(code);
    this.reading = code.flatMap((it, pc) => (it.op === 'char' ? [[pc, it] as const] : []));
    this.matching = code.flatMap((it, pc) => (it.op === 'match' ? [pc] : []));
    this.rows = new Uint32Array((BLOCK + 2) * this.words);
    this.block = Math.floor(text.length / BLOCK);
    const first = Math.floor(from / BLOCK);
    for (let block = this.block; block >= first; block--) {
      this.read(block);
      this.firsts[block] = this.rows.slice(0, 2 * this.words);
    }
  }

  /** Whether a thread at an instruction comes to a match from a position. */
  has(pc: number, position: number): boolean {
    const block = Math.floor(position / BLOCK);
    if (block !== this.block) this.read(block);
    return this.bit(position - block * BLOCK, pc);
  }

  private bit(row: number, pc: number): boolean {
    return ((this.rows[row * this.words + (pc >>> 5)]! >>> (pc & 31)) & 1) === 1;
  }

  private read(block: number): void {
    const { rows, words, text } = this;
    this.block = block;
    rows.fill(0);
    const behind = this.firsts[block + 1];
    if (behind !== undefined) rows.set(behind, BLOCK * words);
    const start = block * BLOCK;
    for (let row = Math.min(BLOCK - 1, text.length - start); row >= 0; row--) {
      this.readAt(row, start + row);
    }
  }

  private readAt(row: number, position: number): void {
    const { code, stack } = this;
    for (const pc of this.matching) this.add(row, pc);
    const point = this.text.codePointAt(position) ?? -1;
    if (point >= 0) {
      const next = row + (point > 0xffff ? 2 : 1);
      for (const [pc, { set }] of this.reading) {
        if (this.bit(next, pc + 1) && set.has(point)) this.add(row, pc);
      }
    }
    while (stack.length > 0) {
      for (const pc of this.before[stack.pop()!]!) {
        if (this.bit(row, pc)) continue;
        const instruction = code[pc]!;
        const isCondition = instruction.op === 'assert' || instruction.op === 'look';
        if (!isCondition || this.holds(instruction, position)) this.add(row, pc);
      }
    }
  }

  private add(row: number, pc: number): void {
    const word = row * this.words + (pc >>> 5);
    this.rows[word] = this.rows[word]! | (1 << (pc & 31));
    this.stack.push(pc);
  }
}

function predecessors(code: readonly Instruction[]): number[][] {
  const before = code.map((): number[] => []);
  code.forEach((instruction, pc) => {
    switch (instruction.op) {
      case 'jump':
        before[instruction.target]!.push(pc);
        break;
      case 'split':
        before[instruction.first]!.push(pc);
        before[instruction.second]!.push(pc);
        break;
      case 'save':
      case 'assert':
      case 'look':
        before[pc + 1]!.push(pc);
        break;
      case 'char':
      case 'match':
        break;
    }
  });
  return before;
}
