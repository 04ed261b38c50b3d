// indic_normalization: letters of the scripts of India that are written as a sequence of several characters
// become the one character that Unicode has for them.

import { termFilter, type TokenFilter } from '../chain/components';

/**
 * Sequences and what they become, as hexadecimal code points; of two that begin alike the longer is first.
 */
const COMPOSITIONS: readonly string[] = [
  // Devanagari
  '905+93e+945:911 905+93e+946:912 905+93e+947:913 905+93e+948:914 905+93e:906 905+945:972 ' +
    '905+946:904 905+949:911 905+94a:912 905+94b:913 905+94c:914 906+945:911 906+946:912 ' +
    '906+947:913 906+948:914 909+941:90a 90f+945:90d 90f+946:90e 90f+947:910 915+93c:958 ' +
    '916+93c:959 917+93c:95a 91c+93c:95b 921+93c:95c 922+93c:95d 928+93c:929 92b+93c:95e ' +
    '92f+93c:95f 930+93c:931 933+93c:934 93e+945:949 93e+946:94a 93e+947:94b 93e+948:94c',
  // Bengali
  '9a4+9cd+200d:9ce 985+9be:986 9a1+9bc:9dc 9a2+9bc:9dd 9af+9bc:9df 9c7+9be:9cb 9c7+9d7:9cc',
  // Gurmukhi
  'a05+a3e:a06 a05+a48:a10 a05+a4c:a14 a16+a3c:a59 a17+a3c:a5a a1c+a3c:a5b a2b+a3c:a5e ' +
    'a41+a41:a42 a72+a3f:a07 a72+a40:a08 a72+a47:a0f a73+a41:a09 a73+a42:a0a a73+a4b:a13',
  // Gujarati
  'a85+abe+ac5:a91 a85+abe+ac7:a93 a85+abe+ac8:a94 a85+abe:a86 a85+ac5:a8d a85+ac7:a8f ' +
    'a85+ac8:a90 a85+ac9:a91 a85+acb:a93 a85+acc:a94 a86+ac5:a91 a86+ac7:a93 a86+ac8:a94 ' +
    'abe+ac5:ac9 abe+ac7:acb abe+ac8:acc',
  // Oriya
  'b05+b3e:b06 b0f+b57:b10 b13+b57:b14 b21+b3c:b5c b22+b3c:b5d b47+b3e:b4b b47+b57:b4c',
  // Tamil
  'b89+bd7:b8a b92+bd7:b94 bc6+bbe:bca bc6+bd7:bcc bc7+bbe:bcb',
  // Telugu
  'c12+c4c:c14 c12+c55:c13 c35+c41:c2e c46+c55:c47 c46+c56:c48',
  // Kannada
  'cc6+cc2+cd5:ccb c92+ccc:c94 cbf+cd5:cc0 cc6+cc2:cca cc6+cd5:cc7 cc6+cd6:cc8 cca+cd5:ccb',
  // Malayalam
  'd23+d4d+200d:d7a d28+d4d+200d:d7b d30+d4d+200d:d7c d32+d4d+200d:d7d d33+d4d+200d:d7e ' +
    'd07+d57:d08 d09+d57:d0a d0e+d46:d10 d12+d3e:d13 d12+d57:d14 d46+d3e:d4a d46+d46:d48 ' +
    'd46+d57:d4c d47+d3e:d4b',
];

const composed = new Map(
  COMPOSITIONS.flatMap((script) => script.split(' ')).map((entry) => {
    const [from = '', to = ''] = entry.split(':');
    const decode = (points: string): string =>
      Array.from(points.split('+'), (point) =>
        String.fromCodePoint(Number.parseInt(point, 16)),
      ).join('');
    return [decode(from), decode(to)] as const;
  }),
);
const SEQUENCES = new RegExp([...composed.keys()].join('|'), 'g');

export const INDIC_NORMALIZATION: TokenFilter = termFilter('indic_normalization', (term) =>
  term.replace(SEQUENCES, (sequence) => composed.get(sequence)!),
);
