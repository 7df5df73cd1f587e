/** Each icon is a module of its own; the package declares the types of all of them together only. */
declare module '@lucide/icons/icons/*' {
  const icon: {
    readonly name: string;
    readonly node: readonly (readonly [element: string, attributes: Readonly<Record<string, string>>])[];
  };
  export default icon;
}
