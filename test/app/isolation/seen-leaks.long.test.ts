import { it } from 'vitest';
import { describeOnEither } from '../../store/databases.ts';
import { seenLives } from './lives.ts';

describeOnEither('the secret of a customer', (database) => {
  it.each(seenLives(database))('reaches nobody else, as it once did: %s', async (_, play) => await play());
});
