import { it } from 'vitest';
import { describeOnBoth, describeOnEither } from '../../store/databases.ts';
import { findNoLeaks, seenLives } from './lives.ts';

describeOnBoth('the secret of a customer', (database) => {
  it('reaches nobody else, whatever happens', () => findNoLeaks(database, 24));
});

describeOnEither('the secret of a customer', (database) => {
  it.each(seenLives(database))('reaches nobody else, as it once did: %s', async (_, play) => await play());
});
