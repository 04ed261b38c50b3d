// What the session uses of the client, which comes without types.

declare module 'elasticsearch' {
  type Call = (params?: object) => Promise<unknown>;
  type Calls = Readonly<Record<string, Call>>;

  /** Answers are bodies; what is refused rejects with an error that has `status` and `body`. */
  export class Client {
    constructor(options: {
      readonly host: string | object;
      readonly apiVersion: string;
      readonly log?: readonly string[];
      readonly sniffOnStart?: boolean;
      readonly ssl?: { readonly ca: string; readonly rejectUnauthorized: boolean };
    });
    readonly indices: Calls;
    readonly cluster: Calls;
    readonly nodes: Calls;
    readonly cat: Calls;
    readonly snapshot: Calls;
    readonly ping: Call;
    readonly info: Call;
    readonly index: Call;
    readonly create: Call;
    readonly get: Call;
    readonly getSource: Call;
    readonly exists: Call;
    readonly mget: Call;
    readonly update: Call;
    readonly delete: Call;
    readonly deleteByQuery: Call;
    readonly bulk: Call;
    readonly search: Call;
    readonly msearch: Call;
    readonly scroll: Call;
    readonly clearScroll: Call;
    readonly count: Call;
    readonly mlt: Call;
    readonly suggest: Call;
    readonly percolate: Call;
    close(): void;
  }
}
