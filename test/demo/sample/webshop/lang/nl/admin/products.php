<?php

return array(
    'title' => 'Producten',
    'stock' => 'Op voorraad: :aantal',
    'publish' => 'Publiceren',
    'unpublish' => 'Offline halen',
    'deleted' => ':count product verwijderd|:count producten verwijderd',
);
