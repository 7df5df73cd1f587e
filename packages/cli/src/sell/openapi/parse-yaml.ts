// By name: the package is CommonJS, of which an `import()` in the bundle gives the default export alone.
export { parse as parseYaml } from 'yaml';
