// Protection of a node without authentication from web pages: a page that resolved its own name to this
// machine, whatever address it listens on, shows it in `Host`; a page of another origin shows itself in
// `Origin`.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { RE2JS } from 're2js';
import { isLoopback, type ServerSettings } from '../config/index';

/** Decides which requests are refused before anything is read. */
export class Guard {
  /** Null: any. */
  private readonly knownHosts: ReadonlySet<string> | null;
  private readonly originPattern: RE2JS | null;
  /** What the last request that was let in called this node: nearly all call it the same. */
  private lastKnown = '';

  /** @throws RE2JSException for a broken pattern in http.cors.allow-origin */
  constructor(private readonly settings: ServerSettings) {
    this.knownHosts = knownHosts(settings);
    const [first, ...others] = settings.corsAllowOrigin;
    const isPattern = first !== undefined && others.length === 0 && /^\/.+\/$/.test(first);
    this.originPattern = isPattern ? RE2JS.compile(first.slice(1, -1)) : null;
  }

  /** Why a request is refused (403); null when it is not. */
  refusal(request: IncomingMessage): string | null {
    const { host, origin } = request.headers;
    if (host !== undefined && host !== '' && !this.isKnownHost(host)) {
      return `host [${host}] is not a name of this node (http.allowed_hosts)`;
    }
    if (request.method === 'OPTIONS') return null;
    if (origin === undefined) {
      return isRead(request.method) ? null : this.crossSiteRefusal(request);
    }
    if (
      isOwnOrigin(origin, host, this.settings.tls !== null) ||
      this.allowedOrigin(origin) !== null
    )
      return null;
    return `origin [${origin}] is not allowed (http.cors.allow-origin)`;
  }

  /**
   * Why a request that changes or costs something is refused (403); null when it is not. Images and links of
   * a page bring no `Origin`, but browsers say where they come from.
   */
  crossSiteRefusal({ headers }: IncomingMessage): string | null {
    const site = headers['sec-fetch-site'];
    if (site !== 'cross-site' && site !== 'same-site') return null;
    const { origin } = headers;
    if (origin !== undefined && this.allowedOrigin(origin) !== null) return null;
    return `a request from another site [${site}] is not allowed (http.cors.allow-origin)`;
  }

  /** What `Access-Control-Allow-Origin` says to an origin; null when it may not use this node. */
  allowedOrigin(origin: string): string | null {
    if (!this.settings.corsEnabled) return null;
    if (this.originPattern !== null) {
      return this.originPattern.matcher(origin).matches() ? origin : null;
    }
    if (this.settings.corsAllowOrigin.includes('*')) return '*';
    return this.settings.corsAllowOrigin.includes(origin) ? origin : null;
  }

  private isKnownHost(host: string): boolean {
    if (host === this.lastKnown) return true;
    const name = hostName(host);
    const isKnown = this.knownHosts?.has(name) !== false || isLoopback(name) || isAddress(name);
    if (isKnown) this.lastKnown = host;
    return isKnown;
  }
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Names under which the node is served besides loopback names and addresses; null: any. */
function knownHosts({ host, allowedHosts }: ServerSettings): ReadonlySet<string> | null {
  if (allowedHosts.includes('*')) return null;
  const own = hostname();
  const [first = own] = own.split('.');
  return new Set([host, own, first, ...allowedHosts].map(hostName));
}

/** `Host` without its port and the dot of the root, lower case. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** No page can have an address resolved to another one. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function isOwnOrigin(origin: string, host: string | undefined, isSecure: boolean): boolean {
  const scheme = isSecure ? 'https' : 'http';
  return host !== undefined && origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`;
}
