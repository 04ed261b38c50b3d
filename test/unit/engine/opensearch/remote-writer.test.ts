import { copiesWanted } from '../../../../engine/opensearch/documents/remote-writer';

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 3],
])('with %p replicas %p copies have to be there', (replicas, copies) => {
  expect(copiesWanted(replicas)).toBe(copies);
});
