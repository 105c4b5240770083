import { Option } from 'commander';
import { sweptKinds } from '../../activities/ports/sweep.ts';
import { UsageError } from './command.ts';

/** Creates `--kind`, whose value is a list of the kinds that the warehouse lists. */
export const kindOption = (description: string): Option =>
  new Option('--kind <kinds>', `${description}: ${sweptKinds.join(', ')}, separated by commas`).argParser((text) => {
    const kinds = text.split(',').map((kind) => kind.trim());
    const known = sweptKinds.filter((kind) => kinds.includes(kind));
    if (known.length < kinds.length)
      throw new UsageError(`--kind must be one of ${sweptKinds.join(', ')}, or several, not "${text}"`);
    return known;
  });
