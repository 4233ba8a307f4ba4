import { defineConfig, type Plugin } from 'vite';
import { exampleConfig } from '../shared/vite.ts';

/** Each document is what the compiler made of it: the published plugins do that with Babel, or not yet for this Vite. */
const relay: Plugin = {
  name: 'relay',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/src\/.*\.tsx?$/.test(id) || !code.includes('graphql`')) return null;
    const imports: string[] = [];
    const replaced = code.replace(
      /graphql`\s*(?:query|mutation|subscription|fragment) (\w+)[^`]*`/g,
      (_, name: string) => {
        // a name of its own: the source may import the type of the same name
        imports.push(`import ${name}$document from './__generated__/${name}.graphql.ts';`);
        return `${name}$document`;
      },
    );
    // on one line, so that the numbers of the others stay
    return { code: imports.join(' ') + replaced, map: null };
  },
};

const config = exampleConfig(5175);
export default defineConfig({ ...config, plugins: [relay, ...(config.plugins ?? [])] });
