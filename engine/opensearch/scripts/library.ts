// What scripts call in Painless: facetd's rules for values of any class (engine/script/arithmetic.ts,
// values.ts, list-methods.ts …). A number is an Integer, Long, Double, Float, BigInteger or BigDecimal as in
// facetd, the score of groovy scripts a `double[]` of its own. Nothing of users stands in these texts.

/** How a function that fails begins what it says; transport/script-failure.ts reads it. */
const FAILED = 'facetd:';

const GROOVY = `${FAILED}GroovyScriptExecutionException:`;

/** Elements of a list and characters of a text that a script makes (engine/script/limits.ts). */
const MAX_ELEMENTS = 100_000;
const MAX_CHARACTERS = 1_000_000;
const MAX_BITS = 8192;
/** As many digits, which is what Painless knows of a BigDecimal. */
const MAX_DIGITS = 2466;

/** Functions by name; they are declared before the script that calls them. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['fail', `def fail(String text) { throw new IllegalArgumentException(text); }`],
  ['groovy', `def groovy(String text) { return fail('${GROOVY}' + text); }`],
  [
    'unlike',
    `def unlike(String what) {
  return fail('${FAILED}ElasticsearchIllegalArgumentException:' + what +
    ' is not supported by the OpenSearch backend');
}`,
  ],
  [
    'limit',
    `def limit(String what) { return groovy('ScriptLimitException[script exceeded ' + what + ']'); }`,
  ],
  ['any', `def any(def a) { return a; }`],
  ['ofInt', `int ofInt(int a) { return a; }`],
  ['ofLong', `long ofLong(long a) { return a; }`],
  ['ofDouble', `double ofDouble(double a) { return a; }`],
  ['ofBoolean', `boolean ofBoolean(boolean a) { return a; }`],
  ['intOf', `int intOf(def a) { return (int) a; }`],
  ['longOf', `long longOf(def a) { return (long) a; }`],
  ['doubleOf', `double doubleOf(def a) { return (double) a; }`],
  ['booleanOf', `boolean booleanOf(def a) { return (boolean) a; }`],
  ['isNull', `boolean isNull(def a) { return a == null; }`],
  ['scored', `def scored(double score) { return new double[] {score}; }`],
  ['wholeScore', `int wholeScore(double score) { return (int) (long) score; }`],
  ['known', `def known(def a, String text) { return a instanceof int[] ? groovy(text) : a; }`],
  ['first', `def first(def a, def b) { return a; }`],

  ['numeric', `boolean numeric(def a) { return a instanceof Number || a instanceof double[]; }`],
  ['floating', `boolean floating(def a) { return a instanceof Double || a instanceof Float; }`],
  [
    'whole',
    `boolean whole(def a) { return a instanceof Integer || a instanceof Long || a instanceof BigInteger; }`,
  ],
  [
    'dbl',
    `double dbl(def a) { return a instanceof double[] ? ((double[]) a)[0] : ((Number) a).doubleValue(); }`,
  ],
  [
    'dec',
    `BigDecimal dec(def a) { return a instanceof BigDecimal ? (BigDecimal) a : new BigDecimal(a.toString()); }`,
  ],
  [
    'big',
    `BigInteger big(def a) {
  if (a instanceof BigInteger) return (BigInteger) a;
  if (a instanceof BigDecimal) return ((BigDecimal) a).toBigInteger();
  return BigInteger.valueOf(a instanceof double[] || floating(a) ? (long) dbl(a) : ((Number) a).longValue());
}`,
  ],
  [
    'bounded',
    `def bounded(def a) {
  boolean large = a instanceof BigDecimal
    ? ((BigDecimal) a).precision() > ${MAX_DIGITS} : ((BigInteger) a).bitLength() > ${MAX_BITS};
  if (large) return limit('[${MAX_BITS}] bits in a number');
  if (a instanceof BigDecimal && ((BigDecimal) a).scale() > ${MAX_BITS}) {
    return limit('[${MAX_BITS}] decimal places');
  }
  return a;
}`,
  ],
  [
    // Beside integers a score is an integer, too (compat, as in engine/script/arithmetic.ts).
    'beside',
    `def beside(def a, def b, boolean asDouble) {
  if (!(a instanceof double[])) return a;
  double score = ((double[]) a)[0];
  if (asDouble || floating(b)) return score;
  return (int) (long) score;
}`,
  ],
  [
    'javaClass',
    `String javaClass(def a) {
  if (a == null) return 'null';
  if (a instanceof Integer) return 'java.lang.Integer';
  if (a instanceof Long) return 'java.lang.Long';
  if (a instanceof Double) return 'java.lang.Double';
  if (a instanceof Float) return 'java.lang.Float';
  if (a instanceof BigDecimal) return 'java.math.BigDecimal';
  if (a instanceof BigInteger) return 'java.math.BigInteger';
  if (a instanceof String) return 'java.lang.String';
  if (a instanceof Boolean) return 'java.lang.Boolean';
  if (a instanceof List) return 'java.util.ArrayList';
  if (a instanceof Map) return 'java.util.LinkedHashMap';
  return 'org.elasticsearch.script.ScoreAccessor';
}`,
  ],
  [
    'text',
    `String text(def a) {
  if (a == null) return 'null';
  if (a instanceof String) return (String) a;
  if (a instanceof double[]) return Double.toString(((double[]) a)[0]);
  if (a instanceof BigDecimal) return ((BigDecimal) a).toPlainString();
  if (a instanceof List) {
    String joined = '';
    for (def each : (List) a) joined = concat(joined == '' ? '[' : joined + ', ', text(each));
    return joined == '' ? '[]' : joined + ']';
  }
  if (a instanceof Map) {
    String joined = '';
    for (def each : ((Map) a).entrySet()) {
      joined = concat(joined == '' ? '[' : joined + ', ', text(each.getKey()) + ':' + text(each.getValue()));
    }
    return joined == '' ? '[:]' : joined + ']';
  }
  return a.toString();
}`,
  ],
  [
    'concat',
    `String concat(String a, String b) {
  if (a.length() + b.length() > ${MAX_CHARACTERS}) limit('[${MAX_CHARACTERS}] characters in a string');
  return a + b;
}`,
  ],
  [
    'noMethod',
    `def noMethod(String owner, String name, List args) {
  String types = '';
  String texts = '';
  for (int i = 0; i < args.size(); i++) {
    types += (i == 0 ? '' : ', ') + javaClass(args.get(i));
    texts += (i == 0 ? '' : ', ') + text(args.get(i));
  }
  return groovy('MissingMethodException[No signature of method: ' + owner + '.' + name +
    '() is applicable for argument types: (' + types + ') values: [' + texts + ']]');
}`,
  ],
  [
    'onNull',
    `def onNull(String name) {
  return groovy('NullPointerException[Cannot invoke method ' + name + '() on null object]');
}`,
  ],
  [
    'missing',
    `def missing(def a, String name, List args) {
  return a == null ? onNull(name) : noMethod(javaClass(a), name, args);
}`,
  ],

  [
    'truth',
    `boolean truth(def a) {
  if (a == null) return false;
  if (a instanceof Boolean) return (boolean) a;
  if (a instanceof String) return !((String) a).isEmpty();
  if (a instanceof List) return !((List) a).isEmpty();
  if (a instanceof Map) return !((Map) a).isEmpty();
  return dbl(a) != 0;
}`,
  ],
  [
    'orderDoubles',
    `int orderDoubles(double a, double b) {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a == b) return 0;
  return a == a ? -1 : b == b ? 1 : 0;
}`,
  ],
  [
    'orderNumbers',
    `int orderNumbers(def x, def y) {
  def a = beside(x, y, false);
  def b = beside(y, a, false);
  if (floating(a) || floating(b)) return orderDoubles(dbl(a), dbl(b));
  if (a instanceof BigDecimal || b instanceof BigDecimal) return dec(a).compareTo(dec(b));
  if (a instanceof BigInteger || b instanceof BigInteger) return big(a).compareTo(big(b));
  return Long.compare(((Number) a).longValue(), ((Number) b).longValue());
}`,
  ],
  [
    'order',
    `int order(def a, def b) {
  if (a == null) return b == null ? 0 : -1;
  if (b == null) return 1;
  if (numeric(a) && numeric(b)) return orderNumbers(a, b);
  if (a instanceof String && b instanceof String) {
    int c = ((String) a).compareTo((String) b);
    return c < 0 ? -1 : c > 0 ? 1 : 0;
  }
  if (a instanceof Boolean && b instanceof Boolean) return (boolean) a == (boolean) b ? 0 : (boolean) a ? 1 : -1;
  if (a instanceof String && numeric(b) && ((String) a).length() == 1) {
    return orderNumbers((int) ((String) a).charAt(0), b);
  }
  if (b instanceof String && numeric(a) && ((String) b).length() == 1) {
    return orderNumbers(a, (int) ((String) b).charAt(0));
  }
  return (int) groovy('GroovyRuntimeException[Cannot compare ' + javaClass(a) + " with value '" + text(a) +
    "' and " + javaClass(b) + " with value '" + text(b) + "']");
}`,
  ],
  [
    'same',
    `boolean same(def a, def b) {
  if (a == null || b == null) return a == null && b == null;
  if (numeric(a) && numeric(b)) return orderNumbers(a, b) == 0;
  if (a instanceof List && b instanceof List) {
    List x = (List) a;
    List y = (List) b;
    if (x.size() != y.size()) return false;
    for (int i = 0; i < x.size(); i++) if (!same(x.get(i), y.get(i))) return false;
    return true;
  }
  if (a instanceof Map && b instanceof Map) {
    Map x = (Map) a;
    Map y = (Map) b;
    if (x.size() != y.size()) return false;
    for (def key : x.keySet()) if (!y.containsKey(key) || !same(x.get(key), y.get(key))) return false;
    return true;
  }
  return a.equals(b);
}`,
  ],
  [
    'within',
    `boolean within(def item, def a) {
  if (a instanceof List) return ((List) a).contains(item);
  if (a instanceof Map) return item != null && truth(((Map) a).get(text(item)));
  return same(a, item);
}`,
  ],

  [
    'others',
    `def others(String name, String sign, def a, def b) {
  if (a == null) {
    return sign == '+' ? groovy('NullPointerException[Cannot execute null+' + text(b) + ']') : onNull(name);
  }
  if (numeric(a) && b == null) {
    return groovy('GroovyRuntimeException[Ambiguous method overloading for method ' + javaClass(a) + '#' + name +
      '.\nCannot resolve which method to invoke for [null] due to overlapping prototypes]');
  }
  if (a instanceof String || a instanceof List || a instanceof Map) {
    return unlike('[' + sign + '] on texts, lists and maps in scripts');
  }
  return noMethod(javaClass(a), name, [b]);
}`,
  ],
  [
    'plus',
    `def plus(def x, def y) {
  def a = beside(x, y, !numeric(y));
  def b = beside(y, a, !numeric(a));
  if (numeric(a) && numeric(b)) {
    if (floating(a) || floating(b)) return dbl(a) + dbl(b);
    if (a instanceof Integer && b instanceof Integer) return (int) a + (int) b;
    if (a instanceof BigDecimal || b instanceof BigDecimal) return bounded(dec(a).add(dec(b)));
    if (a instanceof BigInteger || b instanceof BigInteger) return bounded(big(a).add(big(b)));
    return (long) a + (long) b;
  }
  if (a instanceof String || (b instanceof String && (a == null || numeric(a)))) return concat(text(a), text(b));
  if (a instanceof List) {
    List sum = new ArrayList((List) a);
    if (b instanceof List) sum.addAll((List) b); else sum.add(b);
    if (sum.size() > ${MAX_ELEMENTS}) return limit('[${MAX_ELEMENTS}] elements');
    return sum;
  }
  return others('plus', '+', a, b);
}`,
  ],
  [
    'minus',
    `def minus(def x, def y) {
  def a = beside(x, y, false);
  def b = beside(y, a, false);
  if (!numeric(a) || !numeric(b)) return others('minus', '-', a, b);
  if (floating(a) || floating(b)) return dbl(a) - dbl(b);
  if (a instanceof Integer && b instanceof Integer) return (int) a - (int) b;
  if (a instanceof BigDecimal || b instanceof BigDecimal) return bounded(dec(a).subtract(dec(b)));
  if (a instanceof BigInteger || b instanceof BigInteger) return bounded(big(a).subtract(big(b)));
  return (long) a - (long) b;
}`,
  ],
  [
    'times',
    `def times(def x, def y) {
  def a = beside(x, y, false);
  def b = beside(y, a, false);
  if (!numeric(a) || !numeric(b)) return others('multiply', '*', a, b);
  if (floating(a) || floating(b)) return dbl(a) * dbl(b);
  if (a instanceof Integer && b instanceof Integer) return (int) a * (int) b;
  if (a instanceof BigDecimal || b instanceof BigDecimal) return bounded(dec(a).multiply(dec(b)));
  if (a instanceof BigInteger || b instanceof BigInteger) return bounded(big(a).multiply(big(b)));
  return (long) a * (long) b;
}`,
  ],
  [
    'modulo',
    `def modulo(def x, def y) {
  def a = beside(x, y, false);
  def b = beside(y, a, false);
  if (!numeric(a) || !numeric(b)) return others('mod', '%', a, b);
  if (floating(a) || floating(b)) return dbl(a) % dbl(b);
  if (a instanceof Integer && b instanceof Integer) return (int) a % (int) b;
  if (a instanceof BigDecimal || b instanceof BigDecimal) return dec(a).remainder(dec(b));
  if (a instanceof BigInteger || b instanceof BigInteger) return big(a).remainder(big(b));
  return (long) a % (long) b;
}`,
  ],
  [
    // Exact where that ends, else rounded half up to 10 places, by groovy's rules.
    'quotient',
    `def quotient(def x, def y) {
  def a = beside(x, y, true);
  def b = beside(y, a, true);
  if (!numeric(a) || !numeric(b)) return others('div', '/', a, b);
  if (floating(a) || floating(b)) return dbl(a) / dbl(b);
  BigDecimal u = dec(a);
  BigDecimal v = dec(b);
  if (v.signum() == 0) return groovy('ArithmeticException[Division by zero]');
  try {
    return bounded(u.divide(v));
  } catch (ArithmeticException e) {
    BigDecimal q = u.divide(v, new MathContext((int) Math.max(u.precision(), v.precision()) + 10));
    int scale = (int) Math.max(Math.max(u.scale(), v.scale()), 10);
    return bounded(q.scale() > scale ? q.setScale(scale, RoundingMode.HALF_UP) : q);
  }
}`,
  ],
  [
    'wholeQuotient',
    `def wholeQuotient(def a, def b) {
  if (!whole(a) || !whole(b)) return quotient(a, b);
  if (a instanceof Integer && b instanceof Integer) return (int) a / (int) b;
  if (a instanceof BigInteger || b instanceof BigInteger) return big(a).divide(big(b));
  return (long) a / (long) b;
}`,
  ],
  [
    'power',
    `def power(def x, def y) {
  def a = beside(x, y, true);
  def b = beside(y, a, true);
  if (!numeric(a) || !numeric(b)) return others('power', '**', a, b);
  if (whole(a) && b instanceof Integer && (int) b >= 0) {
    BigInteger base = big(a);
    int n = (int) b;
    if (base.abs().compareTo(BigInteger.ONE) <= 0) n = n == 0 ? 0 : n % 2 == 1 ? 1 : 2;
    long digits = base.abs().bitLength() + (base.signum() < 0 ? 1 : 0);
    if (digits * n > ${MAX_BITS}) return limit('[${MAX_BITS}] bits in a number');
    BigInteger result = base.pow(n);
    if (a instanceof Integer && result.bitLength() < 32) return result.intValue();
    if (a instanceof Long && result.bitLength() < 64) return result.longValue();
    return result;
  }
  if (a instanceof BigDecimal && b instanceof Integer && (int) b >= 0) {
    if ((long) ((BigDecimal) a).toPlainString().length() * (int) b > 4096) {
      return limit('[4096] digits in a number');
    }
    return ((BigDecimal) a).pow((int) b);
  }
  double result = Math.pow(dbl(a), dbl(b));
  if (result == Math.rint(result) && (result != 0 || 1 / result > 0)) {
    if (Math.abs(result) < 2147483648L) return (int) result;
    if (Math.abs(result) < 9223372036854775808.0) return (long) result;
  }
  return result;
}`,
  ],
  [
    'bits',
    `def bits(String name, def x, def y) {
  def a = beside(x, y, false);
  def b = beside(y, a, false);
  if (a instanceof Boolean && b instanceof Boolean) {
    boolean p = (boolean) a;
    boolean q = (boolean) b;
    return name == 'and' ? p && q : name == 'or' ? p || q : p != q;
  }
  if (!numeric(a) || !numeric(b)) return others(name, name, a, b);
  if (!whole(a) || !whole(b)) {
    def bad = whole(a) ? b : a;
    return groovy('UnsupportedOperationException[Cannot use ' + name + '() on this number type: ' +
      javaClass(bad) + ' with value: ' + text(bad) + ']');
  }
  if (a instanceof BigInteger || b instanceof BigInteger) {
    BigInteger u = big(a);
    BigInteger v = big(b);
    return name == 'and' ? u.and(v) : name == 'or' ? u.or(v) : u.xor(v);
  }
  long p = ((Number) a).longValue();
  long q = ((Number) b).longValue();
  long r = name == 'and' ? p & q : name == 'or' ? p | q : p ^ q;
  if (a instanceof Integer && b instanceof Integer) return (int) r;
  return r;
}`,
  ],
  [
    'shift',
    `def shift(String name, def x, def y) {
  def a = beside(x, y, false);
  def b = beside(y, a, false);
  if (!numeric(a) || !numeric(b)) return others(name, name, a, b);
  if (!whole(b)) {
    return groovy('UnsupportedOperationException[Shift distance must be an integral type, but ' +
      javaClass(b) + ' with value: ' + text(b) + ']');
  }
  int n = big(b).intValue();
  if (a instanceof Integer) {
    int p = (int) a;
    return name == 'leftShift' ? p << n : name == 'rightShift' ? p >> n : p >>> n;
  }
  if (a instanceof Long) {
    long p = (long) a;
    return name == 'leftShift' ? p << n : name == 'rightShift' ? p >> n : p >>> n;
  }
  return groovy('UnsupportedOperationException[Cannot use ' + name + '() on this number type: ' +
    javaClass(a) + ' with value: ' + text(a) + ']');
}`,
  ],
  [
    'negated',
    `def negated(def a) {
  if (a instanceof Integer) return -((int) a);
  if (a instanceof Long) return -((long) a);
  if (a instanceof Float) return -((float) a);
  if (a instanceof double[] || a instanceof Double) return -dbl(a);
  if (a instanceof BigDecimal) return ((BigDecimal) a).negate();
  if (a instanceof BigInteger) return ((BigInteger) a).negate();
  if (a instanceof List) return unlike('[-] on lists in scripts');
  return noMethod(javaClass(a), 'negative', []);
}`,
  ],
  [
    'complement',
    `def complement(def a) {
  if (a instanceof Integer) return ~((int) a);
  if (a instanceof Long) return ~((long) a);
  if (a instanceof BigInteger) return ((BigInteger) a).not();
  return noMethod(javaClass(a), 'bitwiseNegate', []);
}`,
  ],

  // In Painless those of Math are about doubles.
  ['absInt', `int absInt(int a) { return a < 0 ? -a : a; }`],
  ['maxInt', `int maxInt(int a, int b) { return a > b ? a : b; }`],
  ['minInt', `int minInt(int a, int b) { return a < b ? a : b; }`],
  ['nearest', `long nearest(double a) { return (long) Math.floor(a + 0.5); }`],
  ['isNaN', `def isNaN(def a) { return numeric(a) && Double.isNaN(dbl(a)); }`],
  ['absLong', `long absLong(long a) { return a < 0 ? -a : a; }`],
  ['maxLong', `long maxLong(long a, long b) { return a > b ? a : b; }`],
  ['minLong', `long minLong(long a, long b) { return a < b ? a : b; }`],
  [
    'mathArgument',
    `double mathArgument(def a, String name, List args) {
  if (!numeric(a)) noMethod('static java.lang.Math', name, args);
  return dbl(a);
}`,
  ],
  [
    'absolute',
    `def absolute(def a) {
  if (!numeric(a)) return noMethod('static java.lang.Math', 'abs', [a]);
  if (a instanceof Integer) return (int) absLong((int) a);
  if (a instanceof Long) return absLong((long) a);
  if (a instanceof Float) return (float) Math.abs((float) a);
  return Math.abs(dbl(a));
}`,
  ],
  [
    'rounded',
    `def rounded(def a) {
  if (!numeric(a)) return noMethod('static java.lang.Math', 'round', [a]);
  long nearest = (long) Math.floor(dbl(a) + 0.5);
  if (!(a instanceof Float) && !(a instanceof Integer)) return nearest;
  return (int) (nearest < -2147483648L ? -2147483648L : nearest > 2147483647L ? 2147483647L : nearest);
}`,
  ],
  [
    'extreme',
    `def extreme(boolean greater, def a, def b) {
  if (!numeric(a) || !numeric(b)) {
    return noMethod('static java.lang.Math', greater ? 'max' : 'min', [a, b]);
  }
  if (whole(a) && whole(b)) {
    if (a instanceof BigInteger || b instanceof BigInteger) {
      return greater ? big(a).max(big(b)) : big(a).min(big(b));
    }
    long p = ((Number) a).longValue();
    long q = ((Number) b).longValue();
    long r = greater ? maxLong(p, q) : minLong(p, q);
    if (a instanceof Integer && b instanceof Integer) return (int) r;
    return r;
  }
  double r = greater ? Math.max(dbl(a), dbl(b)) : Math.min(dbl(a), dbl(b));
  boolean p = a instanceof Float || a instanceof Integer;
  boolean q = b instanceof Float || b instanceof Integer;
  if (p && q) return (float) r;
  return r;
}`,
  ],
  [
    'toNumber',
    `def toNumber(def a) {
  if (a == null || numeric(a)) return a;
  if (!(a instanceof String)) {
    return groovy("GroovyCastException[Cannot cast object '" + text(a) + "' with class '" + javaClass(a) +
      "' to class 'java.lang.Number']");
  }
  String trimmed = ((String) a).trim();
  boolean digits = trimmed.length() > 0 && trimmed.length() < 400;
  for (int i = 0; i < trimmed.length(); i++) {
    char c = trimmed.charAt(i);
    boolean sign = i == 0 && trimmed.length() > 1 && (c == (char) '-' || c == (char) '+');
    if (!sign && (c < (char) '0' || c > (char) '9')) digits = false;
  }
  if (digits) {
    BigInteger whole = new BigInteger(trimmed);
    if (whole.bitLength() < 32) return whole.intValue();
    if (whole.bitLength() < 64) return whole.longValue();
    return whole;
  }
  try {
    return Double.parseDouble((String) a);
  } catch (NumberFormatException e) {
    return groovy('NumberFormatException[' +
      (a == '' ? 'empty String' : 'For input string: "' + text(a) + '"') + ']');
  }
}`,
  ],
  [
    'saturated',
    `BigInteger saturated(def a, int size) {
  if (!floating(a)) return big(a);
  double value = dbl(a);
  return BigInteger.valueOf(size == 32 ? (long) (int) value : (long) value);
}`,
  ],
  [
    'toInt',
    `def toInt(def x) { def a = toNumber(x); if (a == null) return null; return saturated(a, 32).intValue(); }`,
  ],
  [
    'toLong',
    `def toLong(def x) { def a = toNumber(x); if (a == null) return null; return saturated(a, 64).longValue(); }`,
  ],
  [
    'toFloat',
    `def toFloat(def x) { def a = toNumber(x); if (a == null) return null; return (float) dbl(a); }`,
  ],
  [
    'toDouble',
    `def toDouble(def x) { def a = toNumber(x); if (a == null) return null; return dbl(a); }`,
  ],
  ['toText', `def toText(def a) { if (a == null) return null; return text(a); }`],

  [
    'elements',
    `List elements(def a) {
  if (a == null) return [];
  if (a instanceof List) return new ArrayList((List) a);
  if (a instanceof Map) return (List) unlike('a loop over a map in a script');
  if (!(a instanceof String)) return [a];
  List characters = [];
  for (int i = 0; i < ((String) a).length(); i++) characters.add(((String) a).substring(i, i + 1));
  return characters;
}`,
  ],
  [
    'range',
    `List range(def a, def b, boolean exclusive) {
  if (!numeric(a) || !numeric(b)) return (List) noMethod('groovy.lang.Range', 'create', [a, b]);
  long from = big(a).longValue();
  long to = big(b).longValue();
  int step = to < from ? -1 : 1;
  long size = absLong(to - from) + (exclusive ? 0 : 1);
  if (size > ${MAX_ELEMENTS} || size < 0) return (List) limit('[${MAX_ELEMENTS}] elements');
  List numbers = new ArrayList();
  for (int i = 0; i < size; i++) numbers.add((int) (from + i * step));
  return numbers;
}`,
  ],
  [
    'element',
    `def element(def a, def at) {
  if (a == null) return groovy('NullPointerException[Cannot invoke method getAt() on null object]');
  if (a instanceof Map) return ((Map) a).get(text(at));
  if (a instanceof List) {
    if (!(at instanceof Integer) && !(at instanceof Long)) return noMethod('java.util.ArrayList', 'getAt', [at]);
    long i = ((Number) at).longValue();
    int size = ((List) a).size();
    if (i < 0) i += size;
    return i < 0 || i >= size ? null : ((List) a).get((int) i);
  }
  return unlike('an element of [' + javaClass(a) + '] in a script');
}`,
  ],
  [
    'member',
    `def member(def a, String name) {
  if (a == null) return groovy("NullPointerException[Cannot get property '" + name + "' on null object]");
  if (a instanceof Map) return ((Map) a).get(name);
  return unlike('the property [' + name + '] of [' + javaClass(a) + '] in a script');
}`,
  ],

  [
    'size',
    `def size(def a) {
  if (a instanceof List) return ((List) a).size();
  if (a instanceof Map) return ((Map) a).size();
  if (a instanceof String) return ((String) a).length();
  return missing(a, 'size', []);
}`,
  ],
  [
    'length',
    `def length(def a) { return a instanceof String ? (def) ((String) a).length() : missing(a, 'length', []); }`,
  ],
  [
    'isEmpty',
    `def isEmpty(def a) {
  if (a instanceof List) return ((List) a).isEmpty();
  if (a instanceof Map) return ((Map) a).isEmpty();
  if (a instanceof String) return ((String) a).isEmpty();
  return missing(a, 'isEmpty', []);
}`,
  ],
  [
    'contains',
    `def contains(def a, def b) {
  if (a instanceof List) return ((List) a).contains(b);
  if (a instanceof String && b instanceof String) return ((String) a).contains((String) b);
  return missing(a, 'contains', [b]);
}`,
  ],
  [
    'indexOf',
    `def indexOf(def a, def b) {
  if (a instanceof List) return ((List) a).indexOf(b);
  if (a instanceof String && b instanceof String) return ((String) a).indexOf((String) b);
  return missing(a, 'indexOf', [b]);
}`,
  ],
  [
    'valueAt',
    `def valueAt(def a, def at) {
  if (a instanceof Map) return ((Map) a).get(text(at));
  if (!(a instanceof List) || !(at instanceof Integer)) return missing(a, 'get', [at]);
  int size = ((List) a).size();
  if ((int) at >= 0 && (int) at < size) return ((List) a).get((int) at);
  return groovy('IndexOutOfBoundsException[Index ' + at + ' out of bounds for length ' + size + ']');
}`,
  ],
  [
    'endOf',
    `def endOf(def a, String name) {
  if (!(a instanceof List)) return missing(a, name, []);
  List list = (List) a;
  if (!list.isEmpty()) return list.get(name == 'last' ? list.size() - 1 : 0);
  return groovy('NoSuchElementException[Cannot access ' + (name == 'last' ? 'last' : 'first') +
    '() element from an empty List]');
}`,
  ],
  [
    'total',
    `def total(def a) {
  if (!(a instanceof List)) return missing(a, 'sum', []);
  def sum = null;
  boolean any = false;
  for (def each : (List) a) {
    sum = any ? plus(sum, each) : each;
    any = true;
  }
  return sum;
}`,
  ],
  [
    'best',
    `def best(def a, int sign) {
  if (!(a instanceof List)) return missing(a, sign > 0 ? 'max' : 'min', []);
  def result = null;
  for (def each : (List) a) {
    if (each != null && (result == null || sign * order(each, result) > 0)) result = each;
  }
  return result;
}`,
  ],
  [
    'joined',
    `def joined(def a, def separator) {
  if (!(a instanceof List) || !(separator instanceof String)) return missing(a, 'join', [separator]);
  String result = '';
  boolean any = false;
  for (def each : (List) a) {
    result = concat(any ? concat(result, (String) separator) : result, text(each));
    any = true;
  }
  return result;
}`,
  ],
  [
    'ofText',
    `def ofText(String name, def a) {
  if (!(a instanceof String)) return missing(a, name, []);
  String s = (String) a;
  return name == 'trim' ? s.trim() : name == 'toLowerCase' ? s.toLowerCase() : s.toUpperCase();
}`,
  ],
  [
    'textsTogether',
    `def textsTogether(String name, def a, def b) {
  if (!(a instanceof String) || !(b instanceof String)) return missing(a, name, [b]);
  String s = (String) a;
  String t = (String) b;
  if (name == 'startsWith') return s.startsWith(t);
  if (name == 'endsWith') return s.endsWith(t);
  if (name == 'lastIndexOf') return s.lastIndexOf(t);
  if (name == 'equalsIgnoreCase') return s.equalsIgnoreCase(t);
  return concat(s, t);
}`,
  ],
  [
    'part',
    `def part(def a, def from, def to) {
  if (!(a instanceof String) || !(from instanceof Integer) || !(to == null || to instanceof Integer)) {
    return missing(a, 'substring', to == null ? [from] : [from, to]);
  }
  int length = ((String) a).length();
  int begin = (int) from;
  int end = to == null ? length : (int) to;
  if (begin < 0 || end > length || begin > end) {
    return groovy('StringIndexOutOfBoundsException[begin ' + begin + ', end ' + end + ', length ' + length + ']');
  }
  return ((String) a).substring(begin, end);
}`,
  ],
  [
    'ownNumber',
    `def ownNumber(String name, def a) {
  if (!numeric(a)) return missing(a, name, []);
  return name == 'intValue' ? toInt(a) : name == 'longValue' ? toLong(a) : name == 'floatValue' ? toFloat(a) : dbl(a);
}`,
  ],
  [
    // Strict digits within the range of so many bits.
    'strict',
    `def strict(String s, int size) {
  boolean digits = s.length() > 0 && s.length() < 32;
  for (int i = 0; i < s.length(); i++) {
    char c = s.charAt(i);
    boolean sign = i == 0 && s.length() > 1 && (c == (char) '-' || c == (char) '+');
    if (!sign && (c < (char) '0' || c > (char) '9')) digits = false;
  }
  if (digits) {
    BigInteger number = new BigInteger(s);
    if (size == 32 && number.bitLength() < 32) return number.intValue();
    if (size == 64 && number.bitLength() < 64) return number.longValue();
  }
  return groovy('NumberFormatException[' + (s == '' ? 'empty String' : 'For input string: "' + s + '"') + ']');
}`,
  ],
  [
    'parsed',
    `def parsed(String name, def a, int size) {
  if (a instanceof String) return strict(((String) a).trim(), size);
  return numeric(a) ? (size == 32 ? toInt(a) : toLong(a)) : missing(a, name, []);
}`,
  ],
  [
    'compared',
    `def compared(def a, def b) {
  if (a == null) return onNull('compareTo');
  if (a instanceof String && b instanceof String) return ((String) a).compareTo((String) b);
  return numeric(a) || a instanceof Boolean ? (def) order(a, b) : missing(a, 'compareTo', [b]);
}`,
  ],
  [
    'javaEquals',
    `def javaEquals(def a, def b) { return a == null ? b == null : b != null && a.equals(b); }`,
  ],
  [
    'containsKey',
    `def containsKey(def a, def b) {
  return a instanceof Map ? (def) ((Map) a).containsKey(text(b)) : missing(a, 'containsKey', [b]);
}`,
  ],

  [
    'longAt',
    `long longAt(Map doc, String field) {
  if (!doc.containsKey(field)) return 0L;
  def values = doc.get(field);
  return values.size() == 0 ? 0L : (long) values.get(0);
}`,
  ],
  [
    'doubleAt',
    `double doubleAt(Map doc, String field) {
  if (!doc.containsKey(field)) return 0.0;
  def values = doc.get(field);
  return values.size() == 0 ? 0.0 : (double) values.get(0);
}`,
  ],
  [
    'textAt',
    `def textAt(Map doc, String field) {
  if (!doc.containsKey(field)) return null;
  def values = doc.get(field);
  return values.size() == 0 ? null : values.get(0);
}`,
  ],
  ['lacks', `boolean lacks(Map doc, String field) { return sizeAt(doc, field) == 0; }`],
  [
    'sizeAt',
    `int sizeAt(Map doc, String field) { return doc.containsKey(field) ? (int) doc.get(field).size() : 0; }`,
  ],
  [
    'valuesAt',
    `List valuesAt(Map doc, String field) {
  List list = new ArrayList();
  if (!doc.containsKey(field)) return list;
  def values = doc.get(field);
  for (int i = 0; i < values.size(); i++) list.add(values.get(i));
  return list;
}`,
  ],
  [
    // Where a document has several points, what belongs together is in the field of points, which is rounded.
    'coordinates',
    `List coordinates(Map doc, String point, String own, boolean isLatitude) {
  int n = sizeAt(doc, own);
  List list = new ArrayList();
  if (n == 1 && sizeAt(doc, point) == 1) list.add(doc.get(own).get(0));
  else for (int i = 0; i < sizeAt(doc, point); i++) {
    def each = doc.get(point).get(i);
    list.add(isLatitude ? each.getLat() : each.getLon());
  }
  return list;
}`,
  ],
  [
    'coordinate',
    `double coordinate(Map doc, String point, String own, boolean isLatitude) {
  List list = coordinates(doc, point, own, isLatitude);
  if (!list.isEmpty()) return (double) list.get(0);
  return (double) groovy('NullPointerException[Cannot invoke "org.elasticsearch.common.geo.GeoPoint.' +
    (isLatitude ? 'lat' : 'lon') + '()" because the point is null]');
}`,
  ],
  ['andBits', `double andBits(double a, double b) { return (double) ((long) a & (long) b); }`],
  ['orBits', `double orBits(double a, double b) { return (double) ((long) a | (long) b); }`],
  ['xorBits', `double xorBits(double a, double b) { return (double) ((long) a ^ (long) b); }`],
  ['inverted', `double inverted(double a) { return (double) (~((long) a)); }`],
  [
    'shiftedLeft',
    `double shiftedLeft(double a, double b) { return (double) ((long) a << (int) ((long) b & 63)); }`,
  ],
  [
    'shiftedRight',
    `double shiftedRight(double a, double b) { return (double) ((long) a >> (int) ((long) b & 63)); }`,
  ],
  [
    // What is left is read without a sign.
    'unsignedRight',
    `double unsignedRight(double a, double b) {
  long left = (long) a >>> (int) ((long) b & 63);
  if (left >= 0) return (double) left;
  return BigInteger.valueOf(left).add(BigInteger.ONE.shiftLeft(64)).doubleValue();
}`,
  ],
  [
    'asinh',
    `double asinh(double x) {
  double y = Math.abs(x);
  return x == 0 ? x : Math.signum(x) * Math.log(y + Math.sqrt(y * y + 1));
}`,
  ],
  ['acosh', `double acosh(double x) { return Math.log(x + Math.sqrt(x * x - 1)); }`],
  ['atanh', `double atanh(double x) { return 0.5 * Math.log((1 + x) / (1 - x)); }`],
  [
    'utc',
    `ZonedDateTime utc(long millis) { return ZonedDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneId.of('Z')); }`,
  ],

  [
    'numberOf',
    `double numberOf(def a) {
  if (numeric(a)) return dbl(a);
  if (a == null) return (double) fail('${FAILED}NullPointerException:the script gave no number but null');
  return (double) fail('${FAILED}ClassCastException:class ' + javaClass(a) +
    ' cannot be cast to class java.lang.Number');
}`,
  ],
  [
    'truthOf',
    `boolean truthOf(def a) {
  if (a == null) return false;
  if (a instanceof Boolean) return (boolean) a;
  if (numeric(a)) return big(a).signum() != 0;
  return (boolean) fail('${FAILED}ElasticsearchIllegalArgumentException:Can\\'t handle type [' + text(a) +
    '] in script filter');
}`,
  ],
  [
    'textOf',
    `String textOf(def a) {
  return a == null ? (String) fail('${FAILED}NullPointerException:the script gave null') : text(a);
}`,
  ],
]);

const CALL = /(?<![.\w])([a-z]\w*)\(/gi;

/** Functions by name, with what declares them where they are not of this library. */
export type Declarations = ReadonlyMap<string, string>;

/** A script with the functions that it calls, and those that these call. @param own besides the library's */
export function withFunctions(code: string, own: Declarations): string {
  const called = new Set<string>();
  const pending = [code];
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    for (const [, name] of text.matchAll(CALL)) {
      const declaration = own.get(name!) ?? FUNCTIONS.get(name!);
      if (declaration === undefined || called.has(name!)) continue;
      called.add(name!);
      pending.push(declaration);
    }
  }
  const declared = [...called].sort().map((name) => own.get(name) ?? FUNCTIONS.get(name)!);
  return [...declared, code].join('\n');
}
