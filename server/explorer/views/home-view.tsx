// Where to begin: everything that can be searched.

import { TargetList } from './search/target-list';

/** The view without an index. */
export function HomeView() {
  return (
    <main class="home">
      <h1>What do you want to look at?</h1>
      <TargetList current={null} />
    </main>
  );
}
