import { it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { findNoLeaks, seenLives } from './lives.ts';

describeOnEither('the secret of a customer', (database) => {
  it('reaches nobody else, whatever happens', () => findNoLeaks(database, 12, 2));

  it.each(seenLives(database))('reaches nobody else, as it once did: %s', async (_, play) => await play());
});
