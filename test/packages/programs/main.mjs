import process from 'node:process';
import { consume } from './consumer.mjs';

console.log(JSON.stringify(await consume(process.argv[2])));
