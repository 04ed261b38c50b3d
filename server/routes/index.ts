// The table of routes.

export { ROUTES } from './route-table';
