// The query_string language. The table is that of the reference server's own explanations.

import { failure, NOW, query, queryString } from './support';

const OR_TABLE: readonly (readonly [string, string])[] = [
  ['quick fox', '(t:quick t:fox)'],
  ['quick AND fox', '(+t:quick +t:fox)'],
  ['quick && fox', '(+t:quick +t:fox)'],
  ['quick OR fox', '(t:quick t:fox)'],
  ['quick || fox', '(t:quick t:fox)'],
  ['+quick -fox', '(+t:quick -t:fox)'],
  ['quick NOT fox', '(t:quick -t:fox)'],
  ['quick !fox', '(t:quick -t:fox)'],
  ['quick!fox', '(t:quick -t:fox)'],
  ['NOT fox', '(+*:* -t:fox)'],
  ['-fox', '(+*:* -t:fox)'],
  ['NOT a AND NOT b', '(+*:* -t:a -t:b)'],
  ['quick AND fox OR dog', '(+t:quick +t:fox t:dog)'],
  ['quick OR fox AND dog', '(+t:fox +t:dog t:quick)'],
  ['a AND b OR c AND d', '(+t:a +t:b +t:c +t:d)'],
  ['NOT a OR b', '(t:b -t:a)'],
  ['a OR -b', '(t:a -t:b)'],
  ['a AND (b OR (c AND NOT d))', '(+t:a +(t:b (+t:c -t:d)))'],
  ['(a b) c', '((t:a t:b) t:c)'],
  ['(+a -b)^2 c', '((+t:a -t:b)^2 t:c)'],
  ['+(-a)', '(+*:* -t:a)'],
  ['((a))', 't:a'],
  ['u:(quick fox)', '(u:quick u:fox)'],
  ['"quick fox"~3', 't:"quick fox"~3'],
  ['"quick"', 't:quick'],
  ['"quick"~2', 't:quick'],
  ['quick~', 't:quick~2'],
  ['quick~1', 't:quick~1'],
  ['quick~0.5', 't:quick~2'],
  ['quick~0.8', 't:quick~0'],
  ['QUI*', 't:qui*'],
  ['T?X*', 't:t?x*'],
  ['*ick', 't:*ick'],
  ['*:*', '*:*'],
  ['*', 'const(exists(t))'],
  ['u:*', 'u:*'],
  ['t:*', 'const(exists(t))'],
  ['n:[1 TO 5}', 'n:[1 TO 4]'],
  ['n:{1 TO *]', 'n:[2 TO *]'],
  ['n:(>=1 AND <10)', '(+n:[1 TO *] +n:[* TO 9])'],
  ['k:[A TO C]', 'k:[a TO c]'],
  ['k:Foo', 'k:Foo'],
  ['k:"Foo Bar"', 'k:Foo Bar'],
  ['k:Foo\\ Bar', 'k:Foo Bar'],
  ['dt:2014-01-01', 'dt:{1388534400000L}'],
  ['dt:[2014-01-01 TO 2014-12-31]', 'dt:[1388534400000L TO 1420070399999L]'],
  ['dt:>2014-01-01', 'dt:[1388620800000L TO *]'],
  ['b:xyz', 'b:T'],
  ['b:false', 'b:F'],
  ['n:1~', 'n:[-1 TO 3]'],
  ['/Qu.ck/', 't:/qu.ck/'],
  ['k:/Foo.*/', 'k:/foo.*/'],
  ['wi-fi AND x', '(+(t:wi t:fi) +t:x)'],
  ['d.t:quick', 'filtered(t:quick -> types(d))'],
  ['_exists_:o', 'const(exists(o.x,o.y))'],
  ['a\\:b', 't:a:b'],
  ['zz:b', '?:b'],
  // The bare last segment finds a field.
  ['a:b', 'c.a:b'],
  ['t\\:b:c', '?:c'],
  ['a & b', '(t:a t:b)'],
  ['a | b', '(t:a t:b)'],
  ['TO', 't:to'],
  ['http\\://x', '(t:http t:// t:x)'],
  ['', 'none'],
  [' \t ', 'none'],
  ['""', 'none'],
  // Further cases, checked against the reference one by one.
  ['fox - cow', '(t:fox t:cow)'],
  ['- a', 't:a'],
  ['a&&b', '(t:a t:b)'],
  ['a ^2 b', '(t:a^2 t:b)'],
  ['(a^3)^2', 't:a^2'],
  ['(+a^3)^2', 't:a^6'],
  ['a^2~1', 't:a~1^2'],
  ['"a b"~2^3', 't:"a b"~2^3'],
  ['"a b"~2.7', 't:"a b"~2'],
  ['"a b"~x', 't:"a b"'],
  ['(-a)^3 b', '((+*:* -t:a)^3 t:b)'],
  ['a -(b)', '(t:a -t:b)'],
  ['?', 't:?'],
  ['**', 't:**'],
  ['quick TO fox', '(t:quick t:to t:fox)'],
  ['t:\\u0041', 't:a'],
  ['[a b]', 't:[a TO b]'],
  ['["a b" TO \\*]', 't:[a b TO *]'],
  ['n:["1" TO "*"]', 'n:[1 TO *]'],
  ['t:>=A', 't:[a TO *]'],
  ['k:>=', 'k:{= TO *]'],
  ['t:>', 'none'],
  ['quikk~AUTO', 't:quikk~1'],
  ['n:1~3', 'n:[-2 TO 4]'],
  ['n:1*', 'n:{1}'],
  ['_id:1', 'uids(child#1,d#1,e#1)'],
  ['_type:D*', '_type:d*'],
  ['_missing_:t', 'const((+*:* -exists(t))!)'],
  ['_exists_:(t u)', '(const(exists(t)) const(exists(u)))'],
  ['s:"fast wifi"', 's:"(fast quick) (wifi wlan)"'],
  ['s:(fast wifi)', '((s:fast s:quick)! (s:wifi s:wlan)!)'],
  ['st:(the fox)', 'st:fox'],
  ['st:(the of)', 'none'],
  ['-st:the', 'none'],
];

const AND_TABLE: readonly (readonly [string, string])[] = [
  ['a b', '(+t:a +t:b)'],
  ['a OR b c', '(+t:c t:a t:b)'],
  ['a b OR c', '(+t:a t:b t:c)'],
  ['a AND b c', '(+t:a +t:b +t:c)'],
  ['-a b', '(+t:b -t:a)'],
  ['(a b) c', '(+(+t:a +t:b) +t:c)'],
];

describe('one field', () => {
  test.each(OR_TABLE)('%s', (text, expected) => {
    expect(queryString(text)).toBe(expected);
  });

  test.each(AND_TABLE)('default AND: %s', (text, expected) => {
    expect(queryString(text, { default_operator: 'AND' })).toBe(expected);
  });

  test('a lone star on _all is everything', () => {
    expect(query({ query_string: { query: '*' } })).toBe('*:*');
    expect(query({ query_string: { query: '*' } }, { defaultField: 'k' })).toBe('const(exists(k))');
  });
});

describe('several fields', () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['quick fox', { fields: ['t^3', 'u'] }, '((t:quick^3 | u:quick) (t:fox^3 | u:fox))'],
    ['wi-fi foo*', { fields: ['t^3', 'u'] }, '(((t:wi t:fi)^3 | (u:wi u:fi)) (t:foo*^3 | u:foo*))'],
    [
      '"quick fox" [a TO b]',
      { fields: ['t^3', 'u'] },
      '((t:"quick fox"^3 | u:"quick fox") (t:[a TO b]^3 | u:[a TO b]))',
    ],
    ['wi-fi', { fields: ['t', 'u'], default_operator: 'and' }, '((+t:wi +t:fi) | (+u:wi +u:fi))'],
    ['quick', { fields: ['t', 'n'], lenient: true }, 't:quick'],
    ['n:abc', { lenient: true }, 'none'],
    ['*', { fields: ['t', 'u'] }, '*:*'],
    ['t:*', { fields: ['t', 'u'] }, 't:*'],
    ['a', { fields: ['t', 'u'], tie_breaker: 0.5 }, '(t:a | u:a)~0.5'],
    ['a b', { fields: ['t', 'u'], use_dis_max: false }, '((t:a u:a)! (t:b u:b)!)'],
    ['a', { fields: ['t', 'u'], use_dis_max: false, minimum_should_match: '2' }, '(t:a u:a)~2!'],
    // A single field keeps its boost for quoted text only.
    ['a "b c"', { fields: ['t^3'] }, '(t:a t:"b c"^3)'],
    ['u:"a b"', { fields: ['t^3'] }, 'u:"a b"'],
    ['a', { fields: ['zz*'] }, 'none'],
    ['a', { fields: [] }, 't:a'],
    ['o.\\*:a', { lenient: true }, 'o.x:a'],
  ];

  test.each(cases)('%s %j', (text, options, expected) => {
    expect(queryString(text, options)).toBe(expected);
  });
});

describe('options', () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['quick brown fox dog', { minimum_should_match: '50%' }, '(t:quick t:brown t:fox t:dog)~2'],
    ['wi-fi', { minimum_should_match: 2 }, '(t:wi t:fi)~2'],
    ['+a', { minimum_should_match: '5' }, 't:a'],
    ['a^3', { boost: 2 }, 't:a^6'],
    ['a b', { boost: 2 }, '(t:a t:b)^2'],
    ['a(b', { escape: true }, '(t:a t:b)'],
    ['wi-fi', { auto_generate_phrase_queries: true }, 't:"wi fi"'],
    ['"x y" "x y"~1', { phrase_slop: 4 }, '(t:"x y"~4 t:"x y"~1)'],
    ['k:Foo*', { lowercase_expanded_terms: false }, 'k:Foo*'],
    ['Foo-Bar*', { analyze_wildcard: true }, '(t:foo* t:bar*)!'],
    ['Foo?Bar', { analyze_wildcard: true }, 't:foo?bar'],
    ['"a B" c', { quote_field_suffix: '.raw' }, '(t.raw:a B t:c)'],
    ['u:"a B"', { quote_field_suffix: '.raw' }, 'u:"a b"'],
    ['X y', { analyzer: 'keyword' }, '(t:X t:y)'],
    ['"X y" X', { quote_analyzer: 'keyword' }, '(t:X y t:x)'],
    ['qui*', { rewrite: 'scoring_boolean' }, 't:qui*<scoringBoolean>'],
    ['qui*', { rewrite: 'top_terms_boost_5' }, 't:qui*<topTerms5boost>'],
    ['dt:[2014 TO 2015]', { time_zone: '+02:00' }, 'dt:[1388527200000L TO 1420149599999L]'],
    ['quikk~', { fuzziness: 'AUTO' }, 't:quikk~2'],
    ['quikk~', { fuzziness: 1 }, 't:quikk~0'],
    ['quikk~', { fuzziness: 2 }, 't:quikk~1'],
    ['quikk~', { fuzziness: '0.7' }, 't:quikk~1'],
    ['dt:[now-1d/d TO now]', {}, `dt:[${Date.UTC(2014, 5, 14)}L TO ${NOW}L]`],
    ['a', { _name: 'x' }, 'x@t:a'],
  ];

  test.each(cases)('%s %j', (text, options, expected) => {
    expect(queryString(text, options)).toBe(expected);
  });
});

describe('malformed texts', () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      'a AND (',
      'ParseException[Cannot parse \'a AND (\': Encountered "<EOF>" at line 1, column 7.',
    ],
    ['a AND', 'Encountered "<EOF>" at line 1, column 5.'],
    ['AND a', 'Encountered " <AND> "AND "" at line 1, column 0.'],
    ['NOT', 'Encountered "<EOF>" at line 1, column 3.'],
    ['NOT NOT a', 'Encountered " <NOT> "NOT "" at line 1, column 4.'],
    ['(a', 'Encountered "<EOF>" at line 1, column 2.'],
    ['a)', 'Encountered " ")" ") "" at line 1, column 1.'],
    ['()', 'Encountered " ")" ") "" at line 1, column 1.'],
    ['a:', 'Encountered "<EOF>" at line 1, column 2.'],
    ['a:b:c', 'Encountered " ":" ": "" at line 1, column 3.'],
    ['[a TO', 'Encountered "<EOF>" at line 1, column 5.'],
    ['a [x y z]', 'Encountered " <RANGE_GOOP> "z "" at line 1, column 7.'],
    ['{a', 'Encountered "<EOF>" at line 1, column 2.'],
    ['a{', 'Encountered "<EOF>" at line 1, column 2.'],
    ['a^', 'Encountered "<EOF>" at line 1, column 2.'],
    ['^2', 'Encountered " "^" "^ "" at line 1, column 0.'],
    ['+', 'Encountered "<EOF>" at line 1, column 1.'],
    ['!', 'Encountered "<EOF>" at line 1, column 1.'],
    ['!!a', 'Encountered " <NOT> "! "" at line 1, column 1.'],
    ['(a b)~2', 'Encountered " <FUZZY_SLOP> "~2 "" at line 1, column 5.'],
    ['"a b"^3~2', 'Encountered " <FUZZY_SLOP> "~2 "" at line 1, column 7.'],
    ['a AND OR b', 'Encountered " <OR> "OR "" at line 1, column 6.'],
    ['"a', 'Lexical error at line 1, column 3.  Encountered: <EOF> after : "\\"a"'],
    ['a/b', 'Lexical error at line 1, column 4.  Encountered: <EOF> after : "/b"'],
    ['a\\', 'Lexical error at line 1, column 3.  Encountered: <EOF> after : ""'],
    ['a]', 'Lexical error at line 1, column 3.  Encountered: <EOF> after : ""'],
    ['a^ 2', 'Lexical error at line 1, column 3.  Encountered: " " (32), after : ""'],
    ['\\u00zz', 'Non-hex character in Unicode escape sequence: z'],
    ['\\u00', 'Truncated unicode escape sequence.'],
  ];

  test.each(cases)('%s', (text, expected) => {
    const error = failure(() => queryString(text));
    expect(error.startsWith(`QueryParsingException[[i] Failed to parse query [${text}]]; `)).toBe(
      true,
    );
    expect(error).toContain(`nested: ParseException[Cannot parse '${text}': `);
    expect(error).toContain(expected);
  });

  test('the cause is named twice', () => {
    expect(failure(() => queryString('a/b'))).toBe(
      'QueryParsingException[[i] Failed to parse query [a/b]]; nested: ParseException[Cannot parse ' +
        '\'a/b\': Lexical error at line 1, column 4.  Encountered: <EOF> after : "/b"]; nested: ' +
        'TokenMgrError[Lexical error at line 1, column 4.  Encountered: <EOF> after : "/b"]; ',
    );
  });

  test('values that do not fit are errors of their own', () => {
    expect(failure(() => queryString('n:abc'))).toBe(
      'NumberFormatException[For input string: "abc"]',
    );
    expect(failure(() => queryString('a~b'))).toBe('NumberFormatException[For input string: "b"]');
  });

  test('leading wildcards can be forbidden', () => {
    const options = { allow_leading_wildcard: false };
    expect(failure(() => queryString('*x', options))).toContain(
      "Cannot parse '*x': '*' or '?' not allowed as first character in WildcardQuery]",
    );
  });

  test('groups deeper than the limit are refused, however deep', () => {
    expect(queryString('('.repeat(200) + 'a' + ')'.repeat(200))).toBe('t:a');
    for (const depth of [201, 100_000]) {
      expect(failure(() => queryString('('.repeat(depth) + 'a' + ')'.repeat(depth)))).toBe(
        'QueryParsingException[[i] query nesting deeper than [200]]',
      );
    }
  });

  test('too many clauses', () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);
    expect(queryString(words(1024).join(' '))).toContain('t:a1023');
    expect(failure(() => queryString(words(1025).join(' ')))).toContain(
      ': too many boolean clauses]',
    );
    expect(failure(() => queryString(words(1025).join('-')))).toContain(
      ': too many boolean clauses]',
    );
  });
});
