// The uax_url_email tokenizer: the standard tokenizer that keeps URLs and e-mail addresses whole. Of what
// matches at a place the longest wins, and addresses before words.
//
// Web addresses may lack their scheme when the host is an IPv4 or IPv6 address or ends in a top-level
// domain of the end of 2013, as the reference server has them.

import type { Token } from '../chain/analyzer';
import type { Tokenizer, TokenVisitor } from '../chain/components';
import type { ComponentSettings } from '../chain/component-settings';
import { DEFAULT_MAX_TOKEN_LENGTH, StandardTokenizer } from './standard';

const COUNTRIES =
  'ac ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br ' +
  'bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ' +
  'ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw ' +
  'gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky ' +
  'kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw ' +
  'mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa ' +
  're ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr st su sv sx sy sz tc td tf tg th ' +
  'tj tk tl tm tn to tp tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm ' +
  'zw';
const GENERIC =
  'aero arpa asia bike biz camera cat clothing com construction contractors coop diamonds ' +
  'directory edu enterprises equipment estate gallery gov graphics guru holdings info int jobs ' +
  'kitchen land lighting menu mil mobi museum name net org photography plumbing post pro sexy ' +
  'singles tattoo technology tel tips today travel uno ventures voyage xn--3e0b707e xn--45brj9c ' +
  'xn--80ao21a xn--80asehdb xn--90a3ac xn--clchc0ea0b2g2a9gcd xn--fiqs8s xn--fiqz9s ' +
  'xn--fpcrj9c3d xn--fzc2c9e2c xn--gecrj9c xn--h2brj9c xn--j1amh xn--j6w193g xn--kprw13d ' +
  'xn--kpry57d xn--l1acc xn--lgbbat1ad8j xn--mgb9awbf xn--mgba3a4f16a xn--mgbaam7a8h ' +
  'xn--mgbayh7gpa xn--mgbbh1a71e xn--mgbc0a9azcg xn--mgberp4a5d4ar xn--mgbx4cd0ab xn--ngbc5azd ' +
  'xn--o3cw4h xn--ogbpf8fl xn--p1ai xn--pgbs0dh xn--q9jyb4c xn--s9brj9c xn--unup4y xn--wgbh1c ' +
  'xn--wgbl6a xn--xkc2al3hye2a xn--xkc2dl3a5ee0h xn--yfro4i67o xn--ygbi2ammx xxx';

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const TOP_LEVEL = `(?:${[...GENERIC.split(' '), ...COUNTRIES.split(' ')].sort((a, b) => b.length - a.length).join('|')})`;
const WORD_CHARACTERS = '-\\p{L}\\p{M}\\p{Nd}\\p{Pc}';
const DOMAIN = `(?:${LABEL}\\.)+${TOP_LEVEL}`;
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|0?[1-9][0-9]|0{0,2}[0-9])';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const IPV6 = ipv6();
const LOOSE_HOST = `(?:\\[${IPV6}\\]|${LABEL}(?:\\.${LABEL})*)`;
/** compat: the dot of the root belongs to a host only when something other than a word follows. */
const STRICT_HOST = `(?:\\[${IPV6}\\]|${DOMAIN}(?:\\.(?=[^${WORD_CHARACTERS}]))?|${IPV4})`;

const ESCAPED = '%[0-9a-f]{2}';
const LOGIN_PART = `(?:[-._~a-z0-9!$&'()*+,;=]|${ESCAPED})*`;
const LOGIN = `(?:${LOGIN_PART}(?::${LOGIN_PART})?@)?`;
const PORT = '(?::[0-9]{1,5})?';
const WEB_PATH = `(?:/(?:[-._~a-z0-9;:@&=]|${ESCAPED})*)*`;
const QUERY = `(?:[-._~a-z0-9!$&'()*+,;=:@/?]|${ESCAPED})*`;
const FRAGMENT = `(?:#${QUERY})?`;
const WEB_REST = `${PORT}${WEB_PATH}(?:\\?${QUERY})?${FRAGMENT}`;
const FILE_PATH = `(?:/(?:[-._~a-z0-9?:@&=]|${ESCAPED})*)+`;

const URLS = [
  `https?://${LOGIN}${LOOSE_HOST}${WEB_REST}`,
  `ftp://${LOGIN}${LOOSE_HOST}${PORT}${FILE_PATH}(?:;type=[aid])?${FRAGMENT}`,
  `file://(?:${LOOSE_HOST})?${FILE_PATH}${FRAGMENT}`,
].map(sticky);
/** Without a scheme; no letter, digit or hyphen may follow the host. */
const BARE_URL = sticky(`${STRICT_HOST}(?![${WORD_CHARACTERS}])${WEB_REST}`);
const FOLLOWED_HOST = sticky(`${STRICT_HOST}(?=[^${WORD_CHARACTERS}])`);
const WHOLE_HOST = new RegExp(`^${STRICT_HOST}$`, 'iu');

const QUOTED = '"(?:[\\x01-\\x08\\x0b\\x0c\\x0e-\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x00-\\x7f])*"';
const ATOM = "[a-z0-9!#$%&'*+,\\-./=?^_`{|}~]+";
const LOCAL_PART = `(?:${ATOM}|${QUOTED}(?:\\.${ATOM})?)`;
const LITERAL_HOST = `\\[(?:${IPV4}|(?:ipv6:)?${IPV6})\\]`;
const EMAIL = sticky(`${LOCAL_PART}@(?:${DOMAIN}\\.?|${LITERAL_HOST})`);

const MAILTO = 'mailto:';

function sticky(source: string): RegExp {
  return new RegExp(source, 'iuy');
}

/** RFC 3986: eight groups, of which `::` stands for those left out; the last two may be an IPv4 address. */
function ipv6(): string {
  const group = '[0-9a-f]{1,4}';
  const lastTwo = `(?:${group}:${group}|${IPV4})`;
  const forms = [`(?:${group}:){6}${lastTwo}`, `::(?:${group}:){5}${lastTwo}`];
  for (let before = 0; before <= 4; before++) {
    const head = `(?:(?:${group}:){0,${before}}${group})?::`;
    forms.push(`${head}(?:${group}:){${4 - before}}${lastTwo}`);
  }
  forms.push(`(?:(?:${group}:){0,5}${group})?::${group}`, `(?:(?:${group}:){0,6}${group})?::`);
  return `(?:${forms.join('|')})`;
}

/** An address at a place: where it ends and what it is. */
interface Address {
  readonly end: number;
  readonly type: '<URL>' | '<EMAIL>';
}

class UaxUrlEmailTokenizer implements Tokenizer {
  readonly name = 'uax_url_email';
  readonly #words: StandardTokenizer;

  constructor(private readonly maxTokenLength: number) {
    this.#words = new StandardTokenizer(maxTokenLength);
  }

  scan(text: string, visit: TokenVisitor): void {
    if (!/[.@[]|:\/\//.test(text)) {
      this.#words.scan(text, visit);
      return;
    }
    let position = 0;
    const visitWords = (from: number, to: number): void => {
      for (const word of this.#wordsOf(text.slice(from, to))) {
        const start = from + word.startOffset;
        const end = from + word.endOffset;
        // Addresses may begin at any character between words, or end inside of one.
        while (position < start) {
          const address = this.#addressAt(text, position);
          if (address !== null) emit(address);
          else position++;
        }
        if (position >= end) continue;
        if (position > start) {
          visitWords(position, end);
          continue;
        }
        if (this.#isMailto(text, start)) {
          position = start + MAILTO.length - 1;
          visit(text.slice(start, position), start, position, 1, word.type);
          visitWords(position, end);
          continue;
        }
        const address = this.#addressAt(text, start);
        if (address !== null && address.end >= end) {
          emit(address);
        } else {
          visit(word.term, start, end, 1, word.type);
          position = end;
        }
      }
    };
    const emit = ({ end, type }: Address): void => {
      visit(text.slice(position, end), position, end, 1, type);
      position = end;
    };
    visitWords(0, text.length);
  }

  /** Whether `mailto:` and an e-mail address stand at `start`: the scheme is a word of its own. */
  #isMailto(text: string, start: number): boolean {
    const address = start + MAILTO.length;
    if (text.slice(start, address).toLowerCase() !== MAILTO) return false;
    return matchedLength(EMAIL, text.slice(address, address + this.maxTokenLength)) > 0;
  }

  #wordsOf(text: string): Token[] {
    const tokens: Token[] = [];
    this.#words.scan(text, (term, startOffset, endOffset, positionIncrement, type) => {
      tokens.push({ term, startOffset, endOffset, positionIncrement, type });
    });
    return tokens;
  }

  /** The longest address at `start`; none is longer than a token may be, which bounds the search. */
  #addressAt(text: string, start: number): Address | null {
    const part = text.slice(start, start + this.maxTokenLength);
    let length = 0;
    let type: Address['type'] = '<URL>';
    if (part.includes('.') || part.includes('[') || part.includes('://')) {
      for (const url of URLS) length = Math.max(length, matchedLength(url, part));
      length = Math.max(length, bareLength(part, start + part.length === text.length));
    }
    if (part.includes('@')) {
      const email = matchedLength(EMAIL, part);
      if (email > length) {
        length = email;
        type = '<EMAIL>';
      }
    }
    return length === 0 ? null : { end: start + length, type };
  }
}

/** The length of the URL without a scheme that `part` begins with, or 0. */
function bareLength(part: string, isEndOfText: boolean): number {
  const length = matchedLength(BARE_URL, part);
  // compat: the whole rest of the text is no host when it is one without its last character as well.
  const isUndecided =
    isEndOfText &&
    length > 0 &&
    length === part.length &&
    WHOLE_HOST.test(part) &&
    WHOLE_HOST.test(part.slice(0, -1));
  return isUndecided ? matchedLength(FOLLOWED_HOST, part) : length;
}

function matchedLength(pattern: RegExp, part: string): number {
  pattern.lastIndex = 0;
  return pattern.test(part) ? pattern.lastIndex : 0;
}

/** From settings: `max_token_length`. */
export function createUaxUrlEmailTokenizer(_name: string, settings: ComponentSettings): Tokenizer {
  return new UaxUrlEmailTokenizer(settings.integer('max_token_length', DEFAULT_MAX_TOKEN_LENGTH));
}
