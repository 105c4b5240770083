import { it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { findNoLeaks } from './lives.ts';

describeOnEither('the secret of a customer', (database) => {
  it('reaches nobody else, whatever happens', () => findNoLeaks(database, 8, 2));
});
