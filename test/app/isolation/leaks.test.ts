import { it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { isThorough } from '../../thoroughness.ts';
import { findNoLeaks, seenLives } from './lives.ts';

// Each life is a test, which ends in its time also where the machine has other things to do.
const lives = isThorough ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 3];

// Tokens take turns: each address is read by one customer at least, and one that shows what is others' shows it to any of them.
const every = isThorough ? 3 : 5;

/** Lives that are known lead to known places, of which most are lists; the pages beside them are read a few times in all of these lives. */
const everySeen = isThorough ? 9 : 0;

describeOnEither('the secret of a customer', (database) => {
  it.each(seenLives(database, everySeen))('reaches nobody else, as it once did: %s', (_life, play) => play());

  it.each(lives)('reaches nobody else, whatever happens: life %i', () => findNoLeaks(database, 1, every));
});
