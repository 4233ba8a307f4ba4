#!/usr/bin/env node
// the program of the npm package: without arguments it starts the service, otherwise it runs a command

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(`Events Gateway needs Node.js 24 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

const commands: Readonly<Record<string, readonly [does: string, run: () => Promise<unknown>]>> = {
  start: ['starts the service (the default)', () => startService()],
  migrate: ['migrates the database, as every start does', () => import('./migrate.ts')],
  import: ['imports a document: import FILE', () => import('./import.ts')],
  export: ['writes such a document: export [--organization ID]', () => import('./export.ts')],
  demo: ['creates the demo organization', () => import('./demo.ts')],
  admin: ['looks things up and changes them: admin --help', () => import('./admin.ts')],
  keys: ['lists, rotates and revokes secrets: keys --help', () => import('./keys.ts')],
};

const [name = 'start'] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) {
  // commands read their arguments themselves
  process.argv.splice(2, 1);
  await command[1]();
} else if (name === '--version') {
  const { version } = await import('../kernel/version.ts');
  console.log(version);
} else {
  const rows = Object.entries(commands).map(([each, [does]]) => `  ${each.padEnd(9)}${does}`);
  const help = `events-gateway [COMMAND]\n\n${rows.join('\n')}\n\n  --version, --help\n`;
  if (name === '--help') process.stdout.write(help);
  else {
    process.stderr.write(`There is no command ${name}.\n\n${help}`);
    process.exitCode = 2;
  }
}

/** Options of Node.js and the C library only take effect at process start, so this process is replaced. */
async function startService(): Promise<void> {
  const options = ['--max-semi-space-size=32', '--max-old-space-size=1024', '--no-allocation-site-pretenuring'];
  const isSet = options.every((each) => process.execArgv.includes(each));
  // Windows cannot replace a process
  if (isSet || !process.execve || process.platform === 'win32') {
    await import('../main/server.ts');
    return;
  }
  const [node, script = ''] = [process.execPath, process.argv[1]];
  const { environmentWith } = await import('../config/settings.ts');
  const env = environmentWith({ MALLOC_MMAP_THRESHOLD_: '8388608' });
  process.execve(node, [node, '--disable-warning=ExperimentalWarning', ...options, script, 'start'], env);
}
