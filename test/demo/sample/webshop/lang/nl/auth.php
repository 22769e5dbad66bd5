<?php

return [
    'failed' => 'Deze gegevens zijn niet bij ons bekend.',
    'password' => 'Het wachtwoord klopt niet.',
    'throttle' => 'Te veel pogingen. Probeer het over :seconds seconden opnieuw.',
    'login' => 'Inloggen',
    'logout' => 'Uitloggen',
    'remember' => 'Ingelogd blijven',
    'forgot' => 'Wachtwoord vergeten?',
];
