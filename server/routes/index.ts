// The table of routes.

export { ROUTES } from './route-table';
export { routesPage } from './routes-page';
