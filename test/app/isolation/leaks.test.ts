import { it } from 'vitest';
import { describeOnBoth } from '../../store/databases.ts';
import { findNoLeaks } from './lives.ts';

describeOnBoth('the secret of a customer', (database) => {
  it('reaches nobody else, whatever happens', () => findNoLeaks(database, 6, 5));
});
