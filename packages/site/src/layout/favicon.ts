/** A page of a ledger: two columns, and a double line below the sum. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#14604a"/>
<path d="M7 9h18M16 9v10" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>
<path d="M7 21.5h18M7 25h18" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/>
</svg>
`;
