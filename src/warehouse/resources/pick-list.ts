import { z } from 'zod';

/** The pick list of a pick job: nothing of it is read yet, so any object or list will do. */
export const pickList = z.union([z.looseObject({}), z.array(z.unknown())]);
