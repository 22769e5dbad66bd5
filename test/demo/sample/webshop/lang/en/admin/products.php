<?php

return array(
    'title' => 'Products',
    'stock' => 'In stock: :count',
    'publish' => 'Publish',
    'unpublish' => 'Take offline',
    'deleted' => ':count product deleted|:count products deleted',
);
