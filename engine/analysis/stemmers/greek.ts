// The Greek stemmer (G. Ntais, "Development of a Stemmer for the Greek Language", 2006) as the reference
// server applies it, to words in lower case without accents and final sigmas.
//
// A rule takes an ending off; behind some stems it puts a part of it back.

import { remembering, type Stemmer } from './stemmer';

interface Rule {
  /** The first that stands behind anything else is taken off. */
  readonly endings: readonly string[];
  /** Endings that are taken off even if nothing stands before them. */
  readonly alone?: ReadonlySet<string>;
  /** What is put behind the stem. */
  readonly back: (stem: string) => string;
}

type Condition = (stem: string) => boolean;

const list = (text: string): readonly string[] => text.split(' ');
const VOWELS = list('α ε η ι ο υ ω');
const VOWELS_BUT_Y = list('α ε η ι ο ω');

/** Whether a stem is one of `words`. */
function oneOf(words: string): Condition {
  const set = new Set(list(words));
  return (stem) => set.has(stem);
}

const endsIn =
  (endings: readonly string[]): Condition =>
  (stem) =>
    endings.some((ending) => stem.endsWith(ending));

const either =
  (...conditions: readonly Condition[]): Condition =>
  (stem) =>
    conditions.some((condition) => condition(stem));

const except =
  (condition: Condition, exception: Condition): Condition =>
  (stem) =>
    condition(stem) && !exception(stem);

/** A rule that puts `back` behind the stems that `condition` names. */
function rule(endings: string, back = '', condition: Condition = () => false): Rule {
  return { endings: list(endings), back: (stem) => (condition(stem) ? back : '') };
}

/** Nouns whose forms lose so many letters. */
const NOUNS: readonly (readonly [ending: string, letters: number])[] = (
  [
    [4, 'καθεστωτοσ καθεστωτων γεγονοτοσ γεγονοτων'],
    [3, 'καθεστωτα'],
    [4, 'τατογιου τατογιων'],
    [3, 'γεγονοτα'],
    [2, 'καθεστωσ'],
    [4, 'σκαγιου σκαγιων ολογιου ολογιων κρεατοσ κρεατων περατοσ περατων τερατοσ τερατων'],
    [3, 'τατογια'],
    [2, 'γεγονοσ'],
    [4, 'φαγιου φαγιων σογιου σογιων'],
    [3, 'σκαγια ολογια κρεατα περατα τερατα φαγια σογια φωτοσ φωτων'],
    [2, 'κρεασ περασ τερασ φωτα'],
    [1, 'φωσ'],
  ] as const
).flatMap(([letters, endings]) => list(endings).map((ending) => [ending, letters] as const));

/** In this order, each of the rules to what the one before leaves. */
const RULES: readonly Rule[] = [
  rule(
    'αδεσ αδων',
    'αδ',
    except(() => true, endsIn(list('οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ'))),
  ),
  rule('εδεσ εδων', 'εδ', endsIn(list('οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ'))),
  rule(
    'ουδεσ ουδων',
    'ουδ',
    endsIn(list('αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε')),
  ),
  rule('εωσ εων', 'ε', oneOf('θ δ ελ γαλ ν π ιδ παρ')),
  rule('ια ιου ιων', 'ι', endsIn(VOWELS)),
  rule(
    'ικα ικο ικου ικων',
    'ικ',
    either(
      endsIn(VOWELS),
      oneOf(
        'αλ αδ ενδ αμαν αμμοχαλ ηθ ανηθ αντιδ φυσ βρωμ γερ εξωδ καλπ καλλιν καταδ μουλ μπαν μπαγιατ ' +
          'μπολ μποσ νιτ ξικ συνομηλ πετσ πιτσ πικαντ πλιατσ ποστελν πρωτοδ σερτ συναδ τσαμ υποδ φιλον ' +
          'φυλοδ χασ',
      ),
    ),
  ),
  rule('ηθηκαμε ουσαμε αγαμε ησαμε ηκαμε'),
  rule('αμε', 'αμ', oneOf('αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ')),
  {
    ...rule(
      'ιουντανε ιοντανε ουντανε ηθηκανε ιοτανε οντανε ουσανε αγανε ησανε οτανε ηκανε',
      'αγαν',
      oneOf('τρ τσ'),
    ),
    // compat: of these nothing is left.
    alone: new Set(list('ουντανε ηθηκανε οντανε ουσανε ησανε οτανε ηκανε')),
  },
  rule(
    'ανε',
    'αν',
    either(
      endsIn(VOWELS_BUT_Y),
      oneOf(
        'βετερ βουλκ βραχμ γ δραδουμ θ καλπουζ καστελ κορμορ λαοπλ μωαμεθ μ μουσουλμ ν ουλ π πελεκ πλ ' +
          'πολισ πορτολ σαρακατσ σουλτ τσαρλατ ορφ τσιγγ τσοπ φωτοστεφ χ ψυχοπλ αγ γαλ γερ δεκ διπλ ' +
          'αμερικαν ουρ πιθ πουριτ σ ζωντ ικ καστ κοπ λιχ λουθηρ μαιντ μελ σιγ σπ στεγ τραγ τσαγ φ ερ ' +
          'αδαπ αθιγγ αμηχ ανικ ανοργ απηγ απιθ ατσιγγ βασ βασκ βαθυγαλ βιομηχ βραχυκ διατ διαφ ενοργ ' +
          'θυσ καπνοβιομηχ καταγαλ κλιβ κοιλαρφ λιβ μεγλοβιομηχ μικροβιομηχ νταβ ξηροκλιβ ολιγοδαμ ' +
          'ολογαλ πενταρφ περηφ περιτρ πλατ πολυδαπ πολυμηχ στεφ ταβ τετ υπερηφ υποκοπ χαμηλοδαπ ' +
          'ψηλοταβ',
      ),
    ),
  ),
  rule('ησετε'),
  rule(
    'ετε',
    'ετ',
    either(
      endsIn([
        ...VOWELS_BUT_Y,
        ...list(
          'οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ' +
            'ευθ εκθ νετ ρον αρκ βαρ βολ ωφελ',
        ),
      ]),
      oneOf(
        'αβαρ βεν εναρ αβρ αδ αθ αν απλ βαρον ντρ σκ κοπ μπορ νιφ παγ παρακαλ σερπ σκελ συρφ τοκ υ δ ' +
          'εμ θαρρ θ',
      ),
    ),
  ),
  {
    endings: list('οντασ ωντασ'),
    back: (stem) => {
      if (stem === 'αρχ') return 'οντ';
      return stem.endsWith('κρε') ? 'ωντ' : '';
    },
  },
  rule('ομαστε', 'ομαστ', oneOf('ον')),
  rule('ιεστε', 'ιεστ', oneOf('π απ συμπ ασυμπ ακαταπ αμεταμφ')),
  rule('εστε', 'εστ', oneOf('αλ αρ εκτελ ζ μ ξ παρακαλ προ νισ')),
  rule('ηθηκεσ ηθηκα ηθηκε'),
  rule(
    'ηκεσ ηκα ηκε',
    'ηκ',
    either(oneOf('διαθ θ παρακαταθ προσθ συνθ'), endsIn(list('σκωλ σκουλ ναρθ σφ οθ πιθ'))),
  ),
  rule(
    'ουσεσ ουσα ουσε',
    'ουσ',
    either(
      endsIn([...VOWELS, ...list('ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ')]),
      oneOf(
        'φαρμακ χαδ αγκ αναρρ βρομ εκλιπ λαμπιδ λεχ μ πατ ρ λ μεδ μεσαζ υποτειν αμ αιθ ανηκ δεσποζ ' +
          'ενδιαφερ δε δευτερευ καθαρευ πλε τσα',
      ),
    ),
  ),
  rule(
    'αγεσ αγα αγε',
    'αγ',
    except(
      either(
        endsIn(list('οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην')),
        oneOf(
          'αβαστ πολυφ αδηφ παμφ ρ ασπ αφ αμαλ αμαλλι ανυστ απερ ασπαρ αχαρ δερβεν δροσοπ ξεφ νεοπ ' +
            'νομοτ ολοπ ομοτ προστ προσωποπ συμπ συντ τ υποτ χαρ αειπ αιμοστ ανυπ αποτ αρτιπ διατ εν επιτ ' +
            'κροκαλοπ σιδηροπ λ ναυ ουλαμ ουρ π τρ μ',
        ),
      ),
      either(oneOf('ψοφ ναυλοχ'), endsIn(['κολλ'])),
    ),
  ),
  rule('ησου ησε ησα', 'ησ', oneOf('ν χερσον δωδεκαν ερημον μεγαλον επταν')),
  rule('ηστε', 'ηστ', oneOf('ασβ σβ αχρ χρ απλ αειμν δυσχρ ευχρ κοινοχρ παλιμψ')),
  rule('ησουνε ηθουνε ουνε', 'ουν', oneOf('ν ρ σπι στραβομουτσ κακομουτσ εξων')),
  rule('ησουμε ηθουμε ουμε', 'ουμ', oneOf('παρασουσ φ χ ωριοπλ αζ αλλοσουσ ασουσ')),
  rule('ματων ματοσ ματα', 'μα', () => true),
];

/** For words that are as long after those rules as before. */
const INFLECTION = rule(
  'ιοντουσαν ' +
    'ιομασταν ιοσασταν ιουμαστε οντουσαν ' +
    'ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε ομασταν οσασταν ουμαστε ' +
    'ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε ' +
    'αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ' +
    'ουμαι ουσαν ' +
    'αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν ' +
    'αει εισ ηθω ησω ουν ουσ ' +
    'αν ασ αω ει εσ ησ οι οσ ου υσ ων ' +
    'α ε η ι ο υ ω',
);

const COMPARISON = list('εστερ εστατ οτερ οτατ υτερ υτατ ωτερ ωτατ');

/** Words of fewer letters stay. */
const SHORTEST = 4;

function withoutNounEnding(word: string): string {
  const noun = NOUNS.find(([ending]) => word.endsWith(ending));
  return noun === undefined ? word : word.slice(0, word.length - noun[1]);
}

function apply({ endings, alone, back }: Rule, word: string): string {
  const ending = endings.find(
    (each) =>
      word.endsWith(each) &&
      (word.length > each.length || (alone !== undefined && alone.has(each))),
  );
  if (ending === undefined) return word;
  const stem = word.slice(0, word.length - ending.length);
  return stem + back(stem);
}

/** Stems of Greek words; words with accents are not recognized. */
export const greekStemmer: Stemmer = remembering((term) => {
  if (term.length < SHORTEST) return term;
  if (term === 'αγαμε') return 'αγαμ';
  let word = withoutNounEnding(term);
  for (const each of RULES) word = apply(each, word);
  if (word.length === term.length) word = apply(INFLECTION, word);
  const comparison = COMPARISON.find((ending) => word.endsWith(ending));
  return comparison === undefined ? word : word.slice(0, word.length - comparison.length);
});
