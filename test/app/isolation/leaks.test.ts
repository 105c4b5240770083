import { it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { isThorough } from '../../thoroughness.ts';
import { findNoLeaks } from './lives.ts';

describeOnEither('the secret of a customer', (database) => {
  it('reaches nobody else, whatever happens', () => findNoLeaks(database, isThorough ? 8 : 4, isThorough ? 2 : 5));
});
