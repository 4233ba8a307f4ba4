import { defineConfig, type Plugin } from 'vite';
import { exampleConfig } from '../shared/vite.ts';

/** Each document is what the compiler made of it: the published plugins do that with Babel, or not yet for this Vite. */
const relay: Plugin = {
  name: 'relay',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/src\/.*\.tsx?$/.test(id) || !code.includes('graphql`')) return null;
    const names: string[] = [];
    const replaced = code.replace(
      /graphql`\s*(?:query|mutation|subscription|fragment) (\w+)[^`]*`/g,
      (_, name: string) => {
        names.push(name);
        return name;
      },
    );
    const imports = names.map((name) => `import ${name} from './__generated__/${name}.graphql.ts';`);
    // on one line, so that the numbers of the others stay
    return { code: imports.join(' ') + replaced, map: null };
  },
};

const config = exampleConfig(5175);
export default defineConfig({ ...config, plugins: [relay, ...(config.plugins ?? [])] });
