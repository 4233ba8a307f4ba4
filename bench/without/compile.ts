/** Every operation is executed by graphql-js. */
export const compileOperation = () => null;
