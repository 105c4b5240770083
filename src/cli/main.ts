import packageJson from '../../package.json' with { type: 'json' };
import { createProgram, runCommand } from './command.ts';
import { commands } from './commands.ts';

const program = createProgram('dockline', packageJson.description)
  .version(packageJson.version)
  .usage('[--config <path>] <command> [options]')
  .option('--config <path>', 'read variables from this file (default: .env, if there is one)')
  .enablePositionalOptions();
for (const [name, [summary, load, begins]] of Object.entries(commands))
  program
    .command(name)
    .description(summary)
    .usage('[options]')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: readonly string[]) => {
      // Loading takes seconds, in which nothing would be seen.
      if (begins && process.stderr.isTTY && !args.some((it) => /^(-h|--help)$/.test(it)))
        process.stderr.write(`${begins}\n`);
      const { command } = await load();
      await command.parseAsync(args, { from: 'user' });
    });
program.addHelpText('after', '\nRun `dockline <command> --help` for details.');

await runCommand(program);
