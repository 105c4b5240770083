import { it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { isThorough } from '../../thoroughness.ts';
import { findNoLeaks } from './lives.ts';

// Each life is a test, which ends in its time also where the machine has other things to do.
const lives = isThorough ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 3];
const every = isThorough ? 2 : 5;

describeOnEither('the secret of a customer', (database) => {
  it.each(lives)('reaches nobody else, whatever happens: life %i', () => findNoLeaks(database, 1, every));
});
