import { registerHooks } from 'node:module';

// node --import=…/register.ts?module=…&without=…: wherever the first file is imported, the second one is loaded instead.
const { searchParams } = new URL(import.meta.url);
const [module, without] = ['module', 'without'].map((name) => searchParams.get(name));
if (!module || !without) throw new Error('The modules must be named.');

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    return resolved.url === module ? { ...resolved, url: without } : resolved;
  },
});
