// A progress bar on a terminal, plain lines elsewhere.

/** Shows how far long work is; writes to standard error so that output can be piped. */
export class Progress {
  private readonly startedAt = performance.now();
  private lastShown = -Infinity;

  constructor(
    private readonly label: string,
    private readonly total: number,
    /** What an earlier run did already, which says nothing about the rate. */
    private readonly before = 0,
  ) {}

  /** Reports `done` of the total; cheap to call often. */
  update(done: number): void {
    const now = performance.now();
    const terminal = process.stderr.isTTY === true;
    if (done < this.total && now - this.lastShown < (terminal ? 80 : 2000)) return;
    this.lastShown = now;
    const share = this.total === 0 ? 1 : done / this.total;
    const seconds = (now - this.startedAt) / 1000;
    const rate = seconds > 0 ? Math.round((done - this.before) / seconds) : 0;
    const left = rate > 0 ? Math.ceil((this.total - done) / rate) : 0;
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    const stats = `${done.toLocaleString('en')}/${this.total.toLocaleString('en')}, ${rate.toLocaleString('en')}/s`;
    const rest = done < this.total ? `, ${left} s left` : ` in ${seconds.toFixed(1)} s`;
    if (!terminal) {
      process.stderr.write(`${this.label} ${percent} ${stats}${rest}\n`);
      return;
    }
    const width = 30;
    const filled = Math.round(share * width);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    process.stderr.write(
      `\r${this.label} ${bar} ${percent} ${stats}${rest}\u001b[K${done >= this.total ? '\n' : ''}`,
    );
  }
}
