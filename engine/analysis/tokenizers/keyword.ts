// The keyword tokenizer: the whole text is one token, also when it is empty.

import type { Tokenizer } from '../chain/components';

export const KEYWORD_TOKENIZER: Tokenizer = {
  name: 'keyword',
  scan(text, visit) {
    visit(text, 0, text.length, 1, 'word');
  },
};
